import { expect, test } from 'vitest';
import { createSystemClock } from '../../../electron/agent/system-clock.ts';

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
