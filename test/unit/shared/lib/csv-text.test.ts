import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import { csvText, unguarded } from '../../../../shared/lib/csv-text.ts';

const parse = (text: string): string[][] => Papa.parse<string[]>(text.replace('\uFEFF', '').trimEnd()).data;

describe('checklist 45: a text for spreadsheets', () => {
  it.each([
    ...['=1+1', '+44 1', '-2', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '=1\n+2', '＝1+1'],
    ...['x;=1', 'x;"=1', 'x\n-1\r\n@A', "'=1", "x;''=1", '"=1"'],
  ])('input A20: keeps %j from being a formula', (text) => {
    const [[cell = ''] = []] = parse(csvText([[text]]));
    // However the cell is split
    expect(cell.split(/[;\t\r\n]/).filter((part) => /^"*[=+\-@＝]/.test(part))).toEqual([]);
    expect(unguarded(cell)).toBe(text);
  });

  it('leaves numbers and other texts as they are, each in quotes', () => {
    expect(csvText([[-5, 'a "b"', ' c', '1=1']])).toBe('\uFEFF"-5","a ""b"""," c","1=1"\r\n');
  });
});
