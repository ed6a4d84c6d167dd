import fc from 'fast-check';
import { expect, test } from 'vitest';
import Papa from 'papaparse';
import {
  cutToWidth,
  fitTable,
  formatTable,
  shortTime,
  textWidth,
  listCsv,
} from '../../../electron/cli/table.ts';
import { unguarded } from '../../../shared/lib/csv-text.ts';
import { mostlyLong } from '../../helpers/long.ts';

test('makes columns as wide as their widest text and aligns numbers to the right', () => {
  const columns = [{ heading: 'FILE' }, { heading: 'SIZE', align: 'right' as const }, { heading: 'NOTE' }];
  const rows = [
    ['cam1.mp4', '1.2 MB', ''],
    ['c.mp4', '100.0 MB', 'late'],
  ];
  expect(formatTable(columns, rows)).toEqual([
    'FILE          SIZE  NOTE',
    'cam1.mp4    1.2 MB',
    'c.mp4     100.0 MB  late',
  ]);
});

test('makes hostile names visible and cuts long ones in their middle', () => {
  const columns = [{ heading: 'FILE', widest: 11 }];
  const rows = [['a\nb\u202e'], ['abcdefghijklmnop.mp4'], ['12345678901']];
  const [, hostile, long, exact] = formatTable(columns, rows);
  expect(hostile).toMatch(/^a␊b<U\+202E>$/);
  expect(long).toBe('abcde…p.mp4');
  expect(exact).toBe('12345678901');
});

test('columns that can give way do so until the table fits the terminal, the widest first', () => {
  const columns = [{ heading: 'ID' }, { heading: 'NAME', least: 6 }, { heading: 'NOTE', least: 4 }];
  const rows = [['1234567890', 'abcdefghijklmnopqrstuvwxyz', 'abcdefgh']];
  const fit = (width?: number) => fitTable(columns, rows, width).lines;
  expect(fit()).toEqual(formatTable(columns, rows));
  expect(fit(200)).toEqual(formatTable(columns, rows));
  expect(fit(48)).toEqual(formatTable(columns, rows));
  expect(fit(30)[1]).toBe('1234567890  abcd…xyz  abcdefgh');
  // An ID is never cut, and no column gets narrower than its minimum
  expect(fit(10)).toEqual(['ID          NAME    NOTE', '1234567890  abc…yz  ab…h']);
});

test('optional columns go when the rest would be cut too short, the last one first, and are named', () => {
  const columns = [
    { heading: 'ID' },
    { heading: 'A', least: 4, optional: true },
    { heading: 'B' },
    { heading: 'C', optional: true },
  ];
  const rows = [['1234567890', 'abcdefgh', 'bb', 'cccc']];
  const fit = (width: number) => {
    const { lines, leftOut } = fitTable(columns, rows, width);
    return [lines[1], ...leftOut];
  };
  expect(fit(30)).toEqual(['1234567890  abcdefgh  bb  cccc']);
  expect(fit(26)).toEqual(['1234567890  ab…h  bb  cccc']);
  expect(fit(25)).toEqual(['1234567890  abcdefgh  bb', 'C']);
  expect(fit(20)).toEqual(['1234567890  ab…h  bb', 'C']);
  expect(fit(19)).toEqual(['1234567890  bb', 'A', 'C']);
  expect(fit(1)).toEqual(['1234567890  bb', 'A', 'C']);
});

test('keeps columns under their headings when characters take two cells or none', () => {
  const columns = [{ heading: 'NAME' }, { heading: 'ROLE' }];
  const rows = [
    ['北门', 'a'],
    ['Mu\u0308ller', 'b'],
  ];
  expect(formatTable(columns, rows)).toEqual(['NAME    ROLE', '北门    a', 'Mu\u0308ller  b']);
});

test('makes hostile headings visible: a form field can be called anything', () => {
  expect(formatTable([{ heading: 'a\u001b[2J\u202e' }], [])).toEqual(['a␛[2J<U+202E>']);
});

test.each([
  ['Gate', 4],
  ['Müller', 6],
  ['Mu\u0308ller', 6],
  ['北门', 4],
  ['서울', 4],
  ['カメラ', 6],
  ['ＡＢ', 4],
  ['مرحبا', 5],
  ['⚽', 2],
  ['–', 1],
])('%s takes %d cells', (text, cells) => {
  expect(textWidth(text)).toBe(cells);
});

test.each([
  ['abcdefghij', 10, 'abcdefghij'],
  ['abcdefghij', 5, 'ab…ij'],
  ['abcdefghij', 2, 'a…'],
  ['abcdefghij', 1, '…'],
  ['北门东门西门', 7, '北…西门'],
  ['a\u0301b\u0301c\u0301d\u0301', 3, 'a\u0301…d\u0301'],
])('cuts %s to %d cells', (text, cells, cut) => {
  expect(cutToWidth(text, cells)).toBe(cut);
});

test.each([
  ['abcdefghij', 5, 'abcd…'],
  ['北门东门西门', 6, '北门…'],
  ['abc', 3, 'abc'],
])('cuts the end of %s to %d cells', (text, cells, cut) => {
  expect(cutToWidth(text, cells, 'end')).toBe(cut);
});

test('a cut text never takes more cells than it may', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 12 }), (text, cells) => {
      expect(textWidth(cutToWidth(text, cells))).toBeLessThanOrEqual(cells);
      expect(textWidth(cutToWidth(text, cells, 'end'))).toBeLessThanOrEqual(cells);
    }),
  );
});

test.each([
  ['2026-05-01T19:30:05.123Z', '2026-05-01 19:30'],
  ['2026-05-01T19:30:05Z', '2026-05-01 19:30'],
  ['2026-05-01T19:30:05+00:00', '2026-05-01 19:30'],
  // Another zone is shown, not dropped
  ['2026-05-01T19:30:05+02:00', '2026-05-01T19:30:05+02:00'],
  ['soon', 'soon'],
  [undefined, ''],
])('shows %s as %s', (time, text) => {
  expect(shortTime(time)).toBe(text);
});

test('quotes every field, doubles quotes, ends lines with CRLF, and begins with the mark of UTF-8', () => {
  expect(
    listCsv(
      ['id', 'name'],
      [
        ['1', 'the "Gate", 北门'],
        ['2', ''],
      ],
    ),
  ).toBe('\ufeff"id","name"\r\n"1","the ""Gate"", 北门"\r\n"2",""\r\n');
});

test('has headings alone when there are no rows', () => {
  expect(listCsv(['id', 'name'], [])).toBe('\ufeff"id","name"\r\n');
});

test.each([
  '=1+1',
  '=HYPERLINK("https://evil.example","x")',
  '+14155550100',
  '-2',
  '@SUM(A1)',
  '\t=1',
  '\r\n=1',
  '\n=1',
  '＝1+1',
])('guards %j, in a row and in a heading', (text) => {
  const inside = text.replace(/^[\t\r\n]*/, "$&'").replaceAll('"', '""');
  expect(listCsv([text], [[text]])).toBe(`\ufeff"${inside}"\r\n"${inside}"\r\n`);
});

test.each([
  ['a\u001b[2Jb', 'a␛[2Jb'],
  ['\u202egpj.exe', '<U+202E>gpj.exe'],
  ['a\rb', 'a␍b'],
  ['\r=1', '␍=1'],
  ['nul\0', 'nul␀'],
  // Not a control character, but part of how the name is spelled
  ['نام\u200cخانوادگی', 'نام\u200cخانوادگی'],
  ['two\nlines\tand\r\nmore', 'two\nlines\tand\r\nmore'],
])('writes %j as %j', (text, written) => {
  expect(listCsv(['x'], [[text]])).toBe(`\ufeff"x"\r\n"${written}"\r\n`);
});

test('input H4: a reader gets back what was written, once the guard is taken off', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '"', ',', '=', '+', '\n', '\t', ' ', 'ü', ';', "'") });
  const table = fc
    .integer({ min: 1, max: 4 })
    .chain((size) => fc.array(fc.array(text, { minLength: size, maxLength: size }), { minLength: 1 }));
  fc.assert(
    fc.property(table, ([headings = [], ...rows]) => {
      const read = Papa.parse<string[]>(listCsv(headings, rows).slice(1).replace(/\r\n$/, ''), {
        newline: '\r\n',
        delimiter: ',',
      });
      expect(read.data.map((row) => row.map(unguarded))).toEqual([headings, ...rows]);
    }),
  );
});

mostlyLong([100_000, 1_000_000], 1, (some) =>
  test.for(some)('input H4: writes a table of %i rows', { timeout: 60_000 }, (length) => {
    const row = ['7', '=cmd|calc', 'Gate 4'];
    const text = listCsv(
      ['id', 'name', 'place'],
      Array.from({ length }, () => row),
    );
    expect(text.endsWith(`"7","'=cmd|calc","Gate 4"\r\n`)).toBe(true);
    expect(text.length).toBeGreaterThan(25 * length);
  }),
);
