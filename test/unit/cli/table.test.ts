import { expect, test } from 'vitest';
import { formatTable } from '../../../electron/cli/table.ts';

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
