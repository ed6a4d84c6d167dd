import { describe, expect, it } from 'vitest';
import {
  bundleName,
  bundleText,
  linesText,
  selectLines,
} from '../../../../../renderer/features/health/health-texts.ts';
import type { LogLine } from '../../../../../shared/ipc/calls/health.ts';

const line = (number: number, level: LogLine['level'], message: string, fields = ''): LogLine => ({
  number,
  at: '2026-05-01T18:30:05.000Z',
  level,
  message,
  fields,
});

describe('the log', () => {
  const lines = [
    line(1, 'info', 'A clip was sent', '{"clip":"CAM01"}'),
    line(2, 'warn', 'The service asked to wait'),
    line(3, 'error', 'A part was refused', '{"clip":"CAM02"}'),
  ];

  it('shows a level with what is more important, newest first', () => {
    const shown = selectLines(lines, { level: 'warn', search: '' });
    expect(shown.map(({ number }) => number)).toEqual([3, 2]);
  });

  it('is searched for all words, in messages and fields, whatever their case', () => {
    const find = (search: string) =>
      selectLines(lines, { level: 'info', search }).map(({ number }) => number);
    expect(find('CLIP cam01')).toEqual([1]);
    expect(find('clip')).toEqual([3, 1]);
    expect(find('clip wait')).toEqual([]);
    expect(find('  ')).toEqual([3, 2, 1]);
  });

  it('is copied oldest first', () => {
    const text = linesText(selectLines(lines, { level: 'warn', search: '' }));
    expect(text).toBe(
      '2026-05-01T18:30:05.000Z WARN  The service asked to wait\n' +
        '2026-05-01T18:30:05.000Z ERROR A part was refused {"clip":"CAM02"}',
    );
  });
});

it('a bundle is one text with the name of each file above it, and its name is the time in UTC', () => {
  const files = [
    { name: 'a.json', text: '{}\n' },
    { name: 'b.txt', text: 'x' },
  ];
  expect(bundleText(files)).toBe('===== a.json =====\n{}\n\n===== b.txt =====\nx\n');
  expect(bundleName(Date.UTC(2026, 4, 1, 18, 30, 5))).toBe(
    'vms-export-agent-diagnostics-20260501-183005.txt',
  );
});
