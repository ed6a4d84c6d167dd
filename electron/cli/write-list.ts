import { csvText } from '../../shared/lib/csv-text.ts';
import { visibleName } from '../../shared/lib/visible-name.ts';
import { configOption, UsageError, type Line, type Option } from './command.ts';
import { jsonText, STEERING, type Output } from './output.ts';

/** How a list is written: for people, for programs, for spreadsheets. */
export type ListFormat = 'text' | 'json' | 'csv';

/** The options of all commands that list records of the service. */
export const listOptions = {
  ...configOption,
  json: { help: 'one list on stdout, with everything that is known' },
  csv: {
    help: 'for spreadsheets: UTF-8 with a byte order mark; what begins with = + - @ gets an apostrophe, phone numbers too',
  },
} as const satisfies Readonly<Record<string, Option>>;

/** How the line asks for a list. */
export function parseFormat(line: Line<'json' | 'csv'>): ListFormat {
  const [json, csv] = [line.has('json'), line.has('csv')];
  if (json && csv) throw new UsageError('--json and --csv cannot be used together.');
  if (json) return 'json';
  return csv ? 'csv' : 'text';
}

/** A list in the three ways in which it can be written. */
export interface ListForms {
  /** The records as they are, for `--json`. */
  readonly records: unknown;
  /** Headings and rows with everything that is known, for `--csv`. */
  readonly sheet: () => Sheet;
  /** Lines for people, within the width of their terminal. */
  readonly lines: (width: number | undefined) => readonly string[];
}

/** Headings and rows of a spreadsheet. */
export interface Sheet {
  readonly headings: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Writes a list to stdout. */
export function writeList(format: ListFormat, output: Output, forms: ListForms): void {
  switch (format) {
    case 'json':
      return output.data(`${jsonText(forms.records, 2)}\n`);
    case 'csv': {
      const { headings, rows } = forms.sheet();
      return output.data(listCsv(headings, rows));
    }
    case 'text':
      return output.data(`${forms.lines(output.width()).join('\n')}\n`);
  }
}

/** A list for spreadsheets in which nothing steers the terminal that it may be shown on. */
export function listCsv(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  return csvText([headings, ...rows].map((row) => row.map((text) => text.replaceAll(STEERING, visibleName))));
}
