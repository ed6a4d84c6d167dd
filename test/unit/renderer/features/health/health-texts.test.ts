import { describe, expect, it } from 'vitest';
import { createI18n } from '../../../../../renderer/i18n/create-i18n.ts';
import {
  bundleName,
  bundleText,
  linesText,
  localLines,
  selectLines,
} from '../../../../../renderer/features/health/health-texts.ts';
import type { Health } from '../../../../../shared/domain/health.ts';
import { healthOf } from '../../../../helpers/desk-tools.ts';
import type { LogLine } from '../../../../../shared/ipc/calls/health.ts';
import { fullTime } from '../../../../../renderer/ui/time-text.tsx';

const timeOf = (time: string) => fullTime(time, 'utc', 'en-GB');

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

it('the checks say how long a folder keeps its exports, and what is deleted before its turn', async () => {
  const { t } = await createI18n('en');
  const health = healthOf({
    roots: [
      { path: '/a', isOnline: true, settling: 0, keeps: { hours: 168, isLearned: false } },
      { path: '/b', isOnline: true, settling: 0, keeps: { hours: 30, isLearned: true, seen: 9 } },
    ],
    leaving: {
      incidents: 2,
      clips: 3,
      bytes: 5,
      firstId: 'i1',
      firstGoneAt: '2026-05-01T18:30:05.000Z',
      late: { incidents: 0, bytes: 0 },
      message: '2 incidents are expected to be deleted.',
    },
  });
  const lines = localLines({ settings: undefined, key: undefined, health }, t, timeOf);
  expect(lines.filter(({ name }) => name === 'folders').map(({ text }) => text)).toEqual([
    'Watching /a. The recorder deletes exports here after 7 d.',
    'Watching /b. The recorder deletes exports here after about 1 d 6 h, judging by 9 that disappeared.',
  ]);
  expect(lines).toContainEqual({
    name: 'leaving',
    state: 'warning',
    text: '2 incidents are expected to be deleted.',
  });
});

it('says when a folder was last scanned as this desk shows times, and no count of zero of what clean-up does', async () => {
  const { t } = await createI18n('en');
  const root = { path: '/a', isOnline: true, settling: 0, scannedAt: '2026-05-01T18:30:05.000Z' };
  const textsOf = (waiting: number, done: number) => {
    const cleanUp = { action: 'move', afterDays: 3, isOff: false, waiting, done, kept: [] } as const;
    const health = healthOf({ roots: [root], cleanUp });
    const lines = localLines({ settings: undefined, key: undefined, health }, t, timeOf);
    return lines.filter(({ name }) => name === 'folders' || name === 'clean-up').map(({ text }) => text);
  };
  const when = 'Exports are moved 3 days after they are confirmed as stored.';
  expect(textsOf(0, 0)).toEqual(['Watching /a. Last complete scan: 1 May 2026, 18:30:05 UTC.', when]);
  expect(textsOf(2, 5)[1]).toBe(`${when} Due later: 2. Moved: 5.`);
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

it('exports that wait for a person are warnings, each kind by itself', async () => {
  const { t } = await createI18n('en');
  const lines = (exports: Partial<Health['exports']>) => {
    const health = healthOf({ exports: { ...healthOf().exports, ...exports } });
    const all = localLines({ settings: undefined, key: undefined, health }, t, timeOf);
    return all.filter(({ name }) => name === 'exports').map(({ state, text }) => `${state}: ${text}`);
  };
  expect(lines({ writing: 3, settling: 2, reading: 1 })).toEqual([]);
  expect(lines({ held: 1, unrecognised: 2 })).toEqual([
    'warning: 1 export is held back. See Uploads for the reason and what to do.',
    'warning: 2 folders are not recognised. See Uploads for the reasons and what to do.',
  ]);
});

it('says which policy applies, its sequence and age, and why there is no newer one', async () => {
  const { t } = await createI18n('en');
  const textOf = (policy: Partial<Health>['policy']) =>
    localLines({ settings: undefined, key: undefined, health: healthOf(policy && { policy }) }, t, timeOf)
      .filter(({ name }) => name === 'policy')
      .map(({ state, text }) => `${state}: ${text}`);
  const local = { places: ['/etc/policy.json'], settings: 3 };
  const signed = {
    url: 'https://p.example/p.json',
    sequence: 12,
    issuedAt: '2026-11-20T08:00:00.000Z',
    checkedAt: '2026-11-23T12:15:00.000Z',
  };
  expect(textOf(undefined)).toEqual([]);
  expect(textOf(local)).toEqual(['ok: 3 settings from /etc/policy.json.']);
  const age = 'Sequence 12, signed 20 Nov 2026, 08:00:00 UTC, last confirmed 23 Nov 2026, 12:15:00 UTC.';
  expect(textOf({ ...local, signed })).toEqual([`ok: 3 settings from /etc/policy.json. ${age}`]);
  expect(textOf({ ...local, signed: { ...signed, problem: 'It was refused.' } })).toEqual([
    `warning: 3 settings from /etc/policy.json. ${age} It was refused.`,
  ]);
});

it('says of a watched folder whose clips wait for the whole settle time, until when', async () => {
  const { t } = await createI18n('en');
  const root = { path: '/exports', isOnline: true, settling: 0 };
  const textOf = (inFull?: { readonly container: string; readonly until: string }[]) => {
    const health = healthOf({ roots: [{ ...root, ...(inFull && { inFull }) }] });
    const all = localLines({ settings: undefined, key: undefined, health }, t, timeOf);
    return all.find(({ name }) => name === 'folders')?.text;
  };
  expect(textOf()).toBe('Watching /exports.');
  const [one, other] = ['2026-06-01T18:30:00.000Z', '2026-06-03T18:30:00.000Z'];
  expect(
    textOf([
      { container: 'avi', until: other },
      { container: 'mp4', until: one },
    ]),
  ).toBe(
    [
      'Watching /exports. Until 2026-06-03, AVI clips wait for the full settle time: some changed after they were queued early.',
      'Until 2026-06-01, MP4 clips wait for the full settle time: some changed after they were queued early.',
    ].join(' '),
  );
});
