import { describe, expect, it } from 'vitest';
import { compilePattern } from '../../../../../electron/agent/core/naming/own-patterns.ts';
import { readClipName } from '../../../../../electron/agent/core/naming/read-clip-name.ts';
import { patternProblems } from '../../../../../electron/agent/core/naming/recognisers.ts';
import type { PatternSettings } from '../../../../../shared/domain/naming-settings.ts';
import { settingsSchema } from '../../../../../shared/domain/settings.ts';
import { firstClip, iso, nx } from '../../../../helpers/export-evidence.ts';

const settingsOf = (pattern: object): PatternSettings => {
  const [settings] = settingsSchema.parse({ patterns: [{ name: 'p', samples: ['x'], ...pattern }] }).patterns;
  if (settings === undefined) throw new Error('no pattern');
  return settings;
};
const made = (pattern: string | object) => {
  const settings = settingsOf(typeof pattern === 'string' ? { template: pattern } : pattern);
  const compiled = compilePattern(settings);
  if (!compiled.ok) throw new Error(compiled.error);
  return compiled.value;
};
const problemOf = (pattern: string | object) => {
  const compiled = compilePattern(settingsOf(typeof pattern === 'string' ? { template: pattern } : pattern));
  return compiled.ok ? undefined : compiled.error;
};
/** Camera, start and end in UTC as read for a watched folder in London. */
function read(pattern: string | object, path: string) {
  const rules = {
    profile: 'auto',
    timeZone: 'Europe/London',
    clockOffsetSeconds: 0,
    patterns: [made(pattern)],
  };
  const reading = readClipName(path, rules);
  if (reading?.trust !== 'desk') return undefined;
  return [reading.cameraName, iso(reading.startedAt), iso(reading.endedAt)];
}

describe('a template', () => {
  const gates = '{camera}_{date:YYYYMMDD}_{time:HHmmss}';
  it.each<[string | object, string, (string | undefined)[]]>([
    [gates, 'Gate 4_20260501_193005.mp4', ['Gate 4', '2026-05-01T18:30:05.000Z', undefined]],
    [gates, 'sub/Gate_4_20260501_193005.MP4', ['Gate_4', '2026-05-01T18:30:05.000Z', undefined]],
    [
      '{camera}/{date}/{time}',
      'Gate 4/2026-05-01/19.30.05.dav',
      ['Gate 4', '2026-05-01T18:30:05.000Z', undefined],
    ],
    [
      { template: '{camera} {date} {time}', dateOrder: 'DMY' },
      'Tor 02.01.2026 19-30-05.avi',
      ['Tor', '2026-01-02T19:30:05.000Z', undefined],
    ],
    [
      { template: '{camera} {date} {time}', dateOrder: 'MDY' },
      'Tor 02.01.2026 19-30-05.avi',
      ['Tor', '2026-02-01T19:30:05.000Z', undefined],
    ],
    [
      '{camera} {date:D MMM YYYY} {time:h.mm.ss A}',
      'A 3 May 2026 7.30.05 PM.mp4',
      ['A', '2026-05-03T18:30:05.000Z', undefined],
    ],
    [
      '{camera}_{start:YYYYMMDDHHmmss}_{end:YYYYMMDDHHmmss}',
      'A_20260501193005_20260501193105.mp4',
      ['A', '2026-05-01T18:30:05.000Z', '2026-05-01T18:31:05.000Z'],
    ],
    [
      '{camera}_{start:YYYYMMDDHHmmss}-{endTime:HHmmss}',
      'A_20260501235900-000100.mp4',
      ['A', '2026-05-01T22:59:00.000Z', '2026-05-01T23:01:00.000Z'],
    ],
    [
      { template: '{camera}-{epoch}', epoch: 'ms' },
      'A-1777660205000.mp4',
      ['A', '2026-05-01T18:30:05.000Z', undefined],
    ],
    [
      { template: gates, clock: 'utc' },
      'A_20260501_193005.mp4',
      ['A', '2026-05-01T19:30:05.000Z', undefined],
    ],
    [
      { template: gates, clock: 'America/New_York' },
      'A_20260501_193005.mp4',
      ['A', '2026-05-01T23:30:05.000Z', undefined],
    ],
    [
      '{camera}_{any}_{date:YYMMDD}_{time:HHmm}',
      'A_x9_260501_1930.mp4',
      ['A', '2026-05-01T18:30:00.000Z', undefined],
    ],
  ])('%j reads %s', (pattern, path, expected) => {
    expect(read(pattern, path)).toEqual(expected);
  });

  it.each<[string, string | object, string]>([
    ['month 13', gates, 'A_20261301_193005.mp4'],
    ['day 31 in June', gates, 'A_20260631_193005.mp4'],
    ['hour 24', gates, 'A_20260501_240000.mp4'],
    ['second 60', gates, 'A_20260501_193060.mp4'],
    ['hour 13 with PM', '{camera} {date:YYYY-MM-DD} {time:hh.mm.ssA}', 'A 2026-05-01 13.30.05PM.mp4'],
    ['full-width digits', gates, 'A_２０２６0501_193005.mp4'],
    ['Arabic digits', gates, 'A_٢٠٢٦٠٥٠١_193005.mp4'],
    ['epoch 0', '{camera}-{epoch}', 'A-0000000000.mp4'],
    ['epoch 2^32 in 2106', '{camera}-{epoch}', 'A-4294967296.mp4'],
    ['epoch in ms for s', '{camera}-{epoch}', 'A-1777660205000.mp4'],
  ])('bad input: does not roll over or guess at %s', (_what, pattern, path) => {
    expect(read(pattern, path)).toBeUndefined();
  });

  it.each([
    ['7.30.05 p. m.', 'p. m.'],
    ['7.30.05 nachm.', 'nachm.'],
    ['7.30.05 午後', '午後'],
    ['7.30.05\u202fPM', 'a narrow blank'],
  ])('bad input: reads the half of the day in %j', (time) => {
    const pattern = `{camera} {date:YYYY-MM-DD} {time:h.mm.ss${time.includes('\u202f') ? '\u202f' : ' '}A}`;
    expect(read(pattern, `A 2026-05-01 ${time}.mp4`)?.[1]).toBe('2026-05-01T18:30:05.000Z');
  });

  it.each([
    ['{camera', 'brace'],
    ['{camra}', 'use one of'],
    ['{camera}_{camera}', 'more than one field'],
    ['clip', 'has no camera, date or time'],
    ['{time:HHmmss}', 'without a full date'],
    ['{date:YYYYMM}_{time:HHmmss}', 'without a full date (year, month and day)'],
    ['{date:YYYY-DD}_{time:HHmmss}', 'without a full date'],
    ['{start}_{end:YYYYMMHHmm}', 'without a full date'],
    ['{camera}_{endTime}', 'without a full date'],
    ['{epoch}_{endTime}', 'without a full date'],
    ['{date:YYYYMMDDHH}', 'without minutes'],
    ['{start}_{endTime:HH}', 'without minutes'],
    ['{date}_{time:mmss}', 'without an hour'],
    ['{date:YYYYMMDD}{time:hhmmss}', 'without AM or PM'],
    ['{date:YYYYQDD}', 'an unknown letter "Q"'],
  ])('%s is refused', (template, why) => {
    expect(problemOf(template)).toContain(why);
  });
});

describe('an expression', () => {
  it('reads its groups', () => {
    const expression =
      '(?P<recorder>[a-z]+)-(?P<channel>[0-9]+)@(?P<year>[0-9]{4})(?P<month>[0-9]{2})(?P<day>[0-9]{2})T(?P<hour>[0-9]{2})(?P<minute>[0-9]{2})';
    expect(made({ expression }).read('x/nvr-007@20260501T1930.mp4')).toMatchObject({
      recorder: 'nvr',
      channel: '7',
      start: { kind: 'wall', wall: { hour: 19, minute: 30 } },
    });
  });

  it.each([
    ['(?=a)(?P<camera>b)', 'cannot be read'],
    ['(?P<camera>a)\\1', 'cannot be read'],
    ['(?P<camra>a)', 'an unknown group "camra"'],
    ['(?P<camera>((x?y?z?){30}){30})', 'too complex'],
    ['(?P<camera>((x{100}){100}){100})', 'cannot be read'],
  ])('bad input: %s is refused', (expression, why) => {
    expect(problemOf({ expression })).toContain(why);
  });

  it.each(['(?P<camera>(a+)+)$', '(?P<camera>(a|aa)*)z', '(?P<camera>(.*)(.*)(.*)(.*)(.*))z'])(
    'bad input: %s takes a time that grows with the name, not without end',
    (expression) => {
      const pattern = made({ expression });
      const name = `${'a'.repeat(400)}!`;
      // A backtracking engine would practically never finish any of them
      for (let round = 0; round < 20; round += 1) pattern.read(name);
      expect(pattern.read('a'.repeat(600))).toBeUndefined();
    },
  );
});

describe('patterns of a desk', () => {
  const rules = { profile: 'auto', timeZone: 'UTC', clockOffsetSeconds: 0 };

  it('are tried before all systems, and are sure', () => {
    const own = made({ name: 'mine', template: '{any}_{start:YYYY_MM_DD_HH_mm_ss}' });
    expect(readClipName(nx, { ...rules, patterns: [own] })).toMatchObject({
      profile: 'mine',
      startedAt: { confidence: 'high' },
    });
    expect(readClipName(nx, rules)?.profile).toBe('nx');
  });

  it('leave to the systems what they do not fit', () => {
    expect(readClipName(nx, { ...rules, patterns: [made('{camera}-{epoch}')] })?.profile).toBe('nx');
  });

  it('can be named by a folder, and then the others are not tried', () => {
    const patterns = [
      made({ name: 'one', template: '{camera}_{any}_{date:YYYYMMDD}' }),
      made({ name: 'two', template: '{camera}_{date:YYYYMMDD}' }),
    ];
    expect(readClipName('A_B_20260501.mp4', { ...rules, patterns })?.profile).toBe('one');
    const named = readClipName('A_B_20260501.mp4', { ...rules, patterns, profile: 'two' });
    expect(named).toMatchObject({ profile: 'two', cameraName: 'A_B' });
  });

  it('have a camera with high confidence in the record', () => {
    const watch = { ...rules, patterns: [made('{camera}_{date:YYYYMMDD}_{time:HHmm}')] };
    expect(firstClip('x', ['Gate_20260501_1930.mp4'], { watch }).cameraName).toMatchObject({
      value: 'Gate',
      source: 'file-name',
      confidence: 'high',
    });
  });

  it('say which characters they take for what', () => {
    const path = 'sub/Gate 4_20260501_193005.mp4';
    const parts = made('{camera}_{date:YYYYMMDD}_{time:HHmmss}').parts(path) ?? [];
    const shown = parts.map(({ kind, from, to }) => [kind, path.slice(from, to)]);
    expect(shown).toEqual([
      ['camera', 'Gate 4'],
      ['date', '2026'],
      ['date', '05'],
      ['date', '01'],
      ['time', '19'],
      ['time', '30'],
      ['time', '05'],
    ]);
  });
});

describe('patternProblems', () => {
  const good = { name: 'p', template: '{camera}_{date:YYYYMMDD}', samples: ['A_20260501.mp4'] };
  it.each<[string, object[], { path: string; text: string }[]]>([
    ['nothing', [good], []],
    [
      'a sample that does not fit',
      [{ ...good, samples: ['A_20260501.mp4', 'B.mp4'] }],
      [{ path: 'patterns[0].samples[1]', text: 'does not match the pattern: "B.mp4"' }],
    ],
    [
      'a sample whose time does not exist',
      [{ ...good, template: '{camera}_{date:YYYYMMDD}_{time:HHmm}', samples: ['A_20261301_1200.mp4'] }],
      [{ path: 'patterns[0].samples[0]', text: 'contains an invalid time: "A_20261301_1200.mp4"' }],
    ],
    [
      'a name of a system',
      [{ ...good, name: 'nx' }],
      [{ path: 'patterns[0].name', text: 'is "nx", which is already in use' }],
    ],
    ['a name twice', [good, good], [{ path: 'patterns[1].name', text: 'is "p", which is already in use' }]],
    [
      'two ways',
      [{ ...good, expression: 'a' }],
      [{ path: 'patterns[0].template', text: 'cannot be combined with an expression; use only one of them' }],
    ],
    [
      'no known clock',
      [{ ...good, clock: 'Mars' }],
      [{ path: 'patterns[0].clock', text: 'is "Mars", which is not "local", "utc" or a time zone' }],
    ],
  ])('finds %s', (_what, patterns, expected) => {
    expect(patternProblems(settingsSchema.parse({ patterns }).patterns)).toEqual(expected);
  });
});
