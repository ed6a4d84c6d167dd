import { visibleName } from '../../shared/lib/visible-name.ts';
import { csvText } from '../../shared/lib/csv-text.ts';
import { configOption, UsageError, type Line, type Option } from './command.ts';
import { jsonText, STEERING, type Output } from './output.ts';

/** Format of a list: for people, for programs, or for spreadsheets. */
type ListFormat = 'text' | 'json' | 'csv';

/** The options of all commands that list records of the service. */
export const listOptions = {
  ...configOption,
  json: { help: 'one JSON list on stdout, with all fields' },
  csv: {
    help: 'CSV for spreadsheets: UTF-8 with a byte order mark; cells that begin with =, +, - or @, such as phone numbers, get a leading apostrophe',
  },
} as const satisfies Readonly<Record<string, Option>>;

/** The list format that the command line asks for. */
export function parseFormat(line: Line<'json' | 'csv'>): ListFormat {
  const [json, csv] = [line.has('json'), line.has('csv')];
  if (json && csv) throw new UsageError('--json and --csv cannot be used together.');
  if (json) return 'json';
  return csv ? 'csv' : 'text';
}

/** A list in its three formats. */
interface ListForms {
  /** The records unchanged, for `--json`. */
  readonly records: unknown;
  /** Headings and rows with all known values, for `--csv`. */
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

/** A list as CSV, without characters that could control a terminal. */
export function listCsv(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  return csvText([headings, ...rows].map((row) => row.map((text) => text.replaceAll(STEERING, visibleName))));
}

/** A column of a text table. Widths are in cells of the terminal. */
export interface Column {
  readonly heading: string;
  readonly align?: 'left' | 'right';
  /** Longer texts are truncated. */
  readonly widest?: number;
  /** Where they are truncated; default: in the middle, as for file names. */
  readonly cut?: CutPlace;
  /** If the terminal is too narrow, this column shrinks to this width. */
  readonly least?: number;
  /** If that is not enough, this column is left out, starting with the last such column. */
  readonly optional?: boolean;
}

/** A table in a terminal, and the headings of the columns that did not fit. */
export interface FittedTable {
  readonly lines: readonly string[];
  readonly leftOut: readonly string[];
}

const GAP = '  ';

/** A table and an empty line, with a note about columns that did not fit. */
export function tableLines(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number | undefined,
): readonly string[] {
  const { lines, leftOut } = fitTable(columns, rows, width);
  if (leftOut.length === 0) return [...lines, ''];
  const note = `Not shown at this width: ${leftOut.join(', ')}. --json shows everything.`;
  return [...lines, '', note];
}

/** Rows under headings, with columns as wide as their widest text. Control characters in names are made visible. */
export const formatTable = (
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
): readonly string[] => fitTable(columns, rows, undefined).lines;

/** The same table within the width of a terminal; undefined: no limit. */
export function fitTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number | undefined,
): FittedTable {
  const headings = columns.map(({ heading }) => visibleName(heading));
  const cells = rows.map((row) =>
    columns.map(({ widest, cut }, index) =>
      cutToWidth(visibleName(row[index] ?? ''), widest ?? Infinity, cut),
    ),
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
  const shown = cutToWidth(text, width, cut);
  const space = ' '.repeat(Math.max(0, width - textWidth(shown)));
  return align === 'left' ? `${shown}${space}` : `${space}${shown}`;
}

/**
 * Column widths that fit into `room`; undefined for a column that is left out. Optional columns are dropped only if
 * shrinking the others to their minimum is not enough; then the widest shrink first. What still does not fit overflows:
 * better than hiding an ID.
 */
function fitColumns(
  columns: readonly Column[],
  widths: readonly number[],
  room: number,
  gap: number,
): readonly (number | undefined)[] {
  const leasts = columns.map(({ least }, index) => Math.min(least ?? Infinity, widths[index] ?? 0));
  const fitted: (number | undefined)[] = [...widths];
  while (
    total(
      leasts.filter((_, index) => fitted[index] !== undefined),
      gap,
    ) > room
  ) {
    const last = columns.findLastIndex(
      ({ optional }, index) => optional === true && fitted[index] !== undefined,
    );
    if (last === -1) break;
    fitted[last] = undefined;
  }
  for (let excess = total(fitted, gap) - room; excess > 0; excess -= 1) {
    const widest = widestFlexible(fitted, leasts);
    if (widest === undefined) break;
    fitted[widest] = (fitted[widest] ?? 0) - 1;
  }
  return fitted;
}

function total(widths: readonly (number | undefined)[], gap: number): number {
  const kept = widths.filter((width) => width !== undefined);
  return kept.reduce((sum, width) => sum + width, gap * (kept.length - 1));
}

/** The widest column that can still shrink. */
function widestFlexible(
  fitted: readonly (number | undefined)[],
  leasts: readonly number[],
): number | undefined {
  const open = fitted.flatMap((width, index) =>
    width !== undefined && width > (leasts[index] ?? 0) ? [{ width, index }] : [],
  );
  return open.toSorted((left, right) => right.width - left.width)[0]?.index;
}

/** Characters that terminals draw over two cells. */
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]/u;
/** Characters that are drawn onto the previous one. */
const JOINED = /[\p{Mn}\p{Me}\u{1f3fb}-\u{1f3ff}]/u;

const CUT = '…';

/** Width of a text in terminal cells; hidden characters must already have been made visible. */
export function textWidth(text: string): number {
  return [...text].reduce((cells, character) => cells + cellsOf(character), 0);
}

function cellsOf(character: string): number {
  if (character < '\u0300') return 1;
  if (JOINED.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

/** Where a text is truncated: both ends of a file name matter, but only the start of a list. */
export type CutPlace = 'middle' | 'end';

/** Truncates a text to a number of terminal cells. */
export function cutToWidth(text: string, widestCells: number, place: CutPlace = 'middle'): string {
  if (textWidth(text) <= widestCells) return text;
  const headCells = place === 'end' ? widestCells - 1 : Math.ceil((widestCells - 1) / 2);
  const head = take([...text], headCells);
  const tailCells = place === 'end' ? 0 : widestCells - 1 - textWidth(head.join(''));
  const tail = take([...text].toReversed(), tailCells).toReversed();
  // A mark without its letter would be drawn onto something else
  while (tail[0] !== undefined && cellsOf(tail[0]) === 0) tail.shift();
  return `${head.join('')}${CUT}${tail.join('')}`;
}

/** The first characters that fit; marks stay with the character that they are drawn onto. */
function take(characters: readonly string[], cells: number): string[] {
  let room = cells;
  const end = characters.findIndex((character) => (room -= cellsOf(character)) < 0);
  return characters.slice(0, end === -1 ? undefined : end);
}

const UTC_TIME = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?(?:Z|\+00:00)$/;

/** A UTC time to the minute, for narrow tables: "2026-05-01 19:30". Any other text is returned unchanged. */
export function shortTime(time: string | undefined): string {
  return (time ?? '').replace(UTC_TIME, '$1 $2');
}
