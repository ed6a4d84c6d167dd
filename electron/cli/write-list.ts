import { csvText } from './csv-text.ts';
import { jsonText } from './json-text.ts';
import type { Output } from './output.ts';
import type { ListFormat } from './team/team-command.ts';

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
      return output.data(csvText(headings, rows));
    }
    case 'text':
      return output.data(`${forms.lines(output.width()).join('\n')}\n`);
  }
}
