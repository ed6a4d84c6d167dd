import { describe, expect, it } from 'vitest';
import { readCsv } from '../../../../renderer/format/read-csv.ts';
import { csvText } from '../../../../shared/lib/csv-text.ts';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const table = (bytes: Uint8Array) => {
  const read = readCsv(bytes);
  if (!read.ok) throw new Error(read.error.kind);
  return read.value;
};

describe('a CSV file', () => {
  it.each([',', ';', '\t'])('is read with %j between its cells', (separator) => {
    const text = [['Name', 'Phone'].join(separator), ['Zoë', '+1'].join(separator)].join('\r\n');
    expect(table(utf8(text))).toEqual({
      headings: ['Name', 'Phone'],
      rows: [{ number: 2, cells: ['Zoë', '+1'] }],
      isCertain: true,
    });
  });

  it('counts rows as the spreadsheet does, with empty ones and lines inside cells', () => {
    const { rows } = table(utf8('a,b\n\n"x\ny",1\n,\nz,2\n'));
    expect(rows).toEqual([
      { number: 3, cells: ['x\ny', '1'] },
      { number: 5, cells: ['z', '2'] },
    ]);
  });

  it.each<[string, Uint8Array, boolean]>([
    ['UTF-8 with a mark', new Uint8Array([0xef, 0xbb, 0xbf, ...utf8('Näme\nÄda')]), true],
    [
      'UTF-16, as spreadsheets save "Unicode text"',
      new Uint8Array(Buffer.from('\uFEFFNäme\nÄda', 'utf16le')),
      true,
    ],
    ['Windows-1252, which is a guess', new Uint8Array(Buffer.from('Näme\nÄda', 'latin1')), false],
  ])('is read in %s', (_, bytes, isCertain) => {
    expect(table(bytes)).toEqual({ headings: ['Näme'], rows: [{ number: 2, cells: ['Äda'] }], isCertain });
  });

  it('comes back from an export as it was: the guard against formulas is taken off', () => {
    const cells = ['+447700900123', "'=1+1", "'quoted'", 'a "b";- c', '-2'];
    expect(table(utf8(csvText([['1', '2', '3', '4', '5'], cells]))).rows[0]?.cells).toEqual(cells);
  });

  it.each<[string, Uint8Array, unknown]>([
    ['has nothing in it', utf8(''), { kind: 'empty' }],
    ['has headings alone', utf8('a,b\n\n'), { kind: 'empty' }],
    ['leaves a quotation open', utf8('a,b\n1,2\n"q,3\n4,5'), { kind: 'quotes', row: 3 }],
    ['is a workbook', new Uint8Array([0x50, 0x4b, 3, 4, 0, 0]), { kind: 'binary' }],
    ['is far too large', new Uint8Array(5 * 1024 * 1024 + 1), { kind: 'too-large', maxMb: 5 }],
    ['has too many rows', utf8('a\n'.repeat(5002)), { kind: 'too-many', rows: 5001, max: 5000 }],
  ])('is refused when it %s', (_, bytes, error) => {
    expect(readCsv(bytes)).toEqual({ ok: false, error });
  });
});
