import { visibleName } from '../../shared/lib/visible-name.ts';

/** A column of a text table. */
export interface Column {
  readonly heading: string;
  readonly align?: 'left' | 'right';
  /** Longer texts are cut in their middle, characters: both ends of a file name tell something. */
  readonly widest?: number;
}

const GAP = '  ';
const CUT = '…';

/** Rows under headings, columns as wide as their widest text. Names that could steer a terminal are made visible. */
export function formatTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  const cells = rows.map((row) =>
    columns.map(({ widest }, index) => cut(visibleName(row[index] ?? ''), widest)),
  );
  const headings = columns.map(({ heading }) => heading);
  const widths = columns.map((_, index) =>
    Math.max(...[headings, ...cells].map((row) => lengthOf(row[index] ?? ''))),
  );
  return [headings, ...cells].map((row) =>
    row
      .map((text, index) => pad(text, widths[index] ?? 0, columns[index]?.align ?? 'left'))
      .join(GAP)
      .trimEnd(),
  );
}

function pad(text: string, width: number, align: 'left' | 'right'): string {
  const space = ' '.repeat(Math.max(0, width - lengthOf(text)));
  return align === 'left' ? `${text}${space}` : `${space}${text}`;
}

function cut(text: string, widest: number | undefined): string {
  const characters = [...text];
  if (widest === undefined || characters.length <= widest) return text;
  const head = Math.ceil((widest - 1) / 2);
  const tail = widest - 1 - head;
  return `${characters.slice(0, head).join('')}${CUT}${characters.slice(characters.length - tail).join('')}`;
}

const lengthOf = (text: string): number => [...text].length;
