import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const page = readFileSync('docs/security.md', 'utf8');
/** What stands in backquotes and has a folder or a file's ending. */
const named = [...page.matchAll(/`([\w.-]+(?:\/[\w.-]+)+|\.\w+rc)`/g)].map(([, path]) => path ?? '');
const rows = page.split('\n').filter((line) => /^\| (?!item|-)/.test(line));

describe('the page for security reviewers', () => {
  it('names files that are there', () => {
    expect(named.length).toBeGreaterThan(90);
    expect([...new Set(named)].filter((path) => !existsSync(path))).toEqual([]);
  });

  it.each(rows)('has code and a test in its row: %s', (row) => {
    const [, , where = '', test = ''] = row.split('|');
    expect(where).toMatch(/`[^`]+`/);
    expect(test).toMatch(/`(test|scripts)\/|fails/);
  });

  it('has all twenty items of the checklist', () => {
    const items = rows.flatMap((row) => {
      const [, item = ''] = row.split('|');
      const range = /^ (\d+), (\d+) to (\d+) /.exec(item)?.slice(1).map(Number);
      if (range !== undefined) {
        const [single = 0, from = 0, to = 0] = range;
        return [single, ...Array.from({ length: to - from + 1 }, (_, index) => from + index)];
      }
      return (/^ ((?:\d+, )*\d+) /.exec(item)?.[1] ?? '')
        .split(', ')
        .filter((text) => text !== '')
        .map(Number);
    });
    expect(items.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  });
});
