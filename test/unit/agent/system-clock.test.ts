import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { createSystemClock, settleTimeZone } from '../../../electron/agent/system-clock.ts';

const clock = createSystemClock();

test('sleeps at least as long as asked, on the monotonic clock', async () => {
  const startedMs = clock.monotonic();
  await clock.sleep(20);
  expect(clock.monotonic() - startedMs).toBeGreaterThanOrEqual(19);
});

test('rejects with the very reason of the signal, before and during a sleep', async () => {
  const reason = new Error('stopped');
  const controller = new AbortController();
  const sleeping = clock.sleep(60_000, controller.signal);
  controller.abort(reason);
  await expect(sleeping).rejects.toBe(reason);
  await expect(clock.sleep(1, controller.signal)).rejects.toBe(reason);
});

test('does not end at once when asked to sleep longer than one timer of Node can', async () => {
  const controller = new AbortController();
  let hasEnded = false;
  const sleeping = clock.sleep(2 ** 31 + 5, controller.signal).finally(() => {
    hasEnded = true;
  });
  await clock.sleep(20);
  expect(hasEnded).toBe(false);
  controller.abort(new Error('enough'));
  await expect(sleeping).rejects.toThrow('enough');
});

test('calls what is due later, and not what was taken back', async () => {
  const called: string[] = [];
  const takeBack = clock.after(20, () => called.push('taken back'));
  const startedMs = clock.monotonic();
  const due = new Promise<void>((resolve) => {
    clock.after(30, resolve);
  });
  takeBack();
  await due;
  expect(clock.monotonic() - startedMs).toBeGreaterThanOrEqual(29);
  expect(called).toEqual([]);
  expect(() => clock.after(2 ** 31, () => undefined)).toThrow(RangeError);
});

test('draws numbers in [0, 1)', () => {
  for (let turn = 0; turn < 100; turn += 1) {
    const drawn = clock.random();
    expect(drawn >= 0 && drawn < 1).toBe(true);
  }
});

test.each([
  ['Europe/London', 'Europe/London'],
  [':Europe/London', 'Europe/London'],
  ['/usr/share/zoneinfo/Europe/London', 'Europe/London'],
  [':/usr/share/zoneinfo/posix/Europe/London', 'Europe/London'],
  ['europe/london', 'Europe/London'],
  ['utc', 'UTC'],
  ['UTC0', 'UTC'],
  ['', 'UTC'],
  [':/etc/localtime', undefined],
  [undefined, undefined],
])('TZ=%s is understood as other programs understand it', (given, settled) => {
  const environment = given === undefined ? {} : { TZ: given };
  expect(settleTimeZone(environment)).toBeUndefined();
  expect(environment).toEqual(settled === undefined ? {} : { TZ: settled });
});

test.each(['CET-1CEST,M3.5.0,M10.5.0/3', 'UTC-1', 'Europe/Lodnon', '<+03>-3'])(
  'TZ=%s names no time zone: that of the PC counts, and this is said',
  (given) => {
    const environment = { TZ: given };
    expect(settleTimeZone(environment)).toContain(`The environment variable TZ (${given})`);
    expect(environment).toEqual({});
  },
);

test('a clock whose zone Node cannot name is read as UTC, as Node reads it', () => {
  const module = new URL('../../../electron/agent/system-clock.ts', import.meta.url).href;
  const script = `console.log((await import(${JSON.stringify(module)})).systemZone())`;
  for (const TZ of ['', 'Europe/Lodnon']) {
    const env = { ...process.env, TZ };
    const zone = execFileSync(process.execPath, ['--input-type=module', '-e', script], { env });
    expect(String(zone)).toBe('UTC\n');
  }
});
