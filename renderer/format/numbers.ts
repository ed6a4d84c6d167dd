const formats = new Map<string, Intl.NumberFormat>();

function formatFor(language: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${language} ${JSON.stringify(options)}`;
  const format = formats.get(key) ?? new Intl.NumberFormat(language, options);
  formats.set(key, format);
  return format;
}

/** A whole number with the separators of the language. */
export function formatCount(value: number, language: string): string {
  return formatFor(language, { maximumFractionDigits: 0 }).format(value);
}

/** A share of a whole, 0 to 1, as per cent; 100 % only when nothing is left. */
export function formatShare(share: number, language: string): string {
  const shown = share < 1 ? Math.min(Math.floor(share * 100), 99) / 100 : 1;
  return formatFor(language, { style: 'percent', maximumFractionDigits: 0 }).format(shown);
}
