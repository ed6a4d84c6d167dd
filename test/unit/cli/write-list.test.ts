import fc from 'fast-check';
import Papa from 'papaparse';
import { expect, test } from 'vitest';
import { listCsv } from '../../../electron/cli/write-list.ts';

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
  const inside = `'${text}`.replaceAll('"', '""');
  expect(listCsv([text], [[text]])).toBe(`\ufeff"${inside}"\r\n"${inside}"\r\n`);
});

test.each([
  ['a\u001b[2Jb', 'a␛[2Jb'],
  ['\u202egpj.exe', '<U+202E>gpj.exe'],
  ['a\rb', 'a␍b'],
  ['\r=1', '␍=1'],
  ['nul\0', 'nul␀'],
  // Not steering, and part of how a name is written
  ['نام\u200cخانوادگی', 'نام\u200cخانوادگی'],
  ['two\nlines\tand\r\nmore', 'two\nlines\tand\r\nmore'],
])('writes %j as %j', (text, written) => {
  expect(listCsv(['x'], [[text]])).toBe(`\ufeff"x"\r\n"${written}"\r\n`);
});

test('input H4: a reader gets back what was written, but for the guard', () => {
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
      const guarded = (cell: string): string => (/^[=+\-@\t\r\n]/.test(cell) ? `'${cell}` : cell);
      expect(read.data).toEqual([headings, ...rows].map((row) => row.map(guarded)));
    }),
  );
});

test('input H4: writes a million rows', () => {
  const row = ['7', '=cmd|calc', 'Gate 4'];
  const text = listCsv(
    ['id', 'name', 'place'],
    Array.from({ length: 1_000_000 }, () => row),
  );
  expect(text.endsWith(`"7","'=cmd|calc","Gate 4"\r\n`)).toBe(true);
  expect(text.length).toBeGreaterThan(25_000_000);
}, 60_000);
