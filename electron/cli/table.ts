import { visibleName } from '../../shared/lib/visible-name.ts';
import { fitColumns } from './fit-columns.ts';
import { cutText, textWidth, type CutPlace } from './text-width.ts';

/** A column of a text table. Widths are in cells of the terminal. */
export interface Column {
  readonly heading: string;
  readonly align?: 'left' | 'right';
  /** Longer texts are cut. */
  readonly widest?: number;
  /** Where they are cut; default: in their middle, as file names are. */
  readonly cut?: CutPlace;
  /** Where the terminal is too narrow, this column gives way down to this width. */
  readonly least?: number;
  /** Where that does not help, this column is left out, the last such column first. */
  readonly optional?: boolean;
}

/** A table in a terminal, and the headings of the columns that have no room in it. */
export interface FittedTable {
  readonly lines: readonly string[];
  readonly leftOut: readonly string[];
}

const GAP = '  ';

/** Rows under headings, columns as wide as their widest text. Names that could steer a terminal are made visible. */
export const formatTable = (
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
): readonly string[] => fitTable(columns, rows, undefined).lines;

/** The same table within the width of a terminal; undefined is as wide as it takes. */
export function fitTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number | undefined,
): FittedTable {
  const headings = columns.map(({ heading }) => visibleName(heading));
  const cells = rows.map((row) =>
    columns.map(({ widest, cut }, index) => cutText(visibleName(row[index] ?? ''), widest ?? Infinity, cut)),
  );
  const widths = columns.map((_, index) =>
    Math.max(...[headings, ...cells].map((row) => textWidth(row[index] ?? ''))),
  );
  const fitted = fitColumns(columns, widths, width ?? Infinity, GAP.length);
  const lineOf = (row: readonly string[]): string =>
    columns
      .flatMap((column, index) => {
        const cells = fitted[index];
        return cells === undefined ? [] : [pad(row[index] ?? '', cells, column)];
      })
      .join(GAP)
      .trimEnd();
  const leftOut = headings.filter((_, index) => fitted[index] === undefined);
  return { lines: [headings, ...cells].map(lineOf), leftOut };
}

function pad(text: string, width: number, { align = 'left', cut }: Column): string {
  const shown = cutText(text, width, cut);
  const space = ' '.repeat(Math.max(0, width - textWidth(shown)));
  return align === 'left' ? `${shown}${space}` : `${space}${shown}`;
}
