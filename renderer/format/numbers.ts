const formats = new Map<string, Intl.NumberFormat>();

function formatFor(locale: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${locale} ${JSON.stringify(options)}`;
  const format = formats.get(key) ?? new Intl.NumberFormat(locale, options);
  formats.set(key, format);
  return format;
}

/** A whole number with the separators of the language. */
export function formatCount(value: number, locale: string): string {
  return formatFor(locale, { maximumFractionDigits: 0 }).format(value);
}

/** A share of a whole, 0 to 1, as per cent; 100 % only when nothing is left. */
export function formatShare(share: number, locale: string): string {
  const shown = share < 1 ? Math.min(Math.floor(share * 100), 99) / 100 : 1;
  return formatFor(locale, { style: 'percent', maximumFractionDigits: 0 }).format(shown);
}
