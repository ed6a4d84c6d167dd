/** A package in the table of docs/decisions.md, with the reason for it. */
export interface DecidedPackage {
  readonly name: string;
  readonly reason: string;
  readonly licence: string;
}

/**
 * Reads the table below "Dependencies". A row may name several packages; `-router` after `@tanstack/react-query` is
 * short for `@tanstack/react-router`, `-dom` after `react` for `react-dom`.
 */
export function decidedPackages(page: string): readonly DecidedPackage[] {
  const rows = (page.split(/^## Dependencies$/m)[1] ?? '').split(/^## /m)[0]?.match(/^\|.*\|$/gm) ?? [];
  return rows.slice(2).flatMap((row) => {
    const [, packages = '', reason = '', licence = ''] = row.split('|').map((cell) => cell.trim());
    const names = [...packages.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '');
    return names.map((name) => ({ name: wholeName(name, names[0] ?? ''), reason, licence }));
  });
}

function wholeName(name: string, first: string): string {
  if (!name.startsWith('-')) return name;
  const stem = first.slice(0, first.lastIndexOf('-'));
  return `${stem}${name}`;
}
