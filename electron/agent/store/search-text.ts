import type { WriteDb } from './open-db.ts';

/** How a query looks for a text: conditions over columns, and the one parameter that they take. */
export interface TextSearch {
  /** True where one of the columns holds the text, in any case. The parameter is `@search`. */
  where(...columns: readonly string[]): string;
  readonly parameter: string;
}

/** Prepares a connection for `textSearch`. */
export function addTextSearch(db: WriteDb): void {
  db.function('holds_text', { deterministic: true }, (text: unknown, wanted: unknown) =>
    typeof text === 'string' && text.toLowerCase().includes(String(wanted)) ? 1 : 0,
  );
}

/** SQLite compares without case in ASCII only, and fast; texts beyond that take a function, which is some ten times slower. */
export function textSearch(text: string): TextSearch {
  if (/^\p{ASCII}*$/u.test(text)) {
    return {
      where: (...columns) =>
        `(${columns.map((column) => `${column} LIKE @search ESCAPE '\\'`).join(' OR ')})`,
      parameter: `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`,
    };
  }
  return {
    where: (...columns) => `(${columns.map((column) => `holds_text(${column}, @search)`).join(' OR ')})`,
    parameter: text.toLowerCase(),
  };
}
