import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { listenForStop } from '../../../electron/cli/stop-signals.ts';

test.each([
  ['SIGINT', 'SIGINT', 130, 130],
  ['SIGTERM', 'SIGTERM', 143, 143],
  ['SIGTERM', 'SIGINT', 143, 130],
])('asks to stop at %s and ends at once at the %s after it', (first, second, exitCode, exitNow) => {
  const source = new EventEmitter();
  const exits: number[] = [];
  const stop = listenForStop(source, (code) => exits.push(code));
  expect(stop.signal.aborted).toBe(false);
  expect(stop.exitCode()).toBeUndefined();
  source.emit(first);
  expect(stop.signal.aborted).toBe(true);
  expect(stop.exitCode()).toBe(exitCode);
  expect(exits).toEqual([]);
  source.emit(second);
  expect(exits).toEqual([exitNow]);
  stop.dispose();
  expect(source.listenerCount('SIGINT') + source.listenerCount('SIGTERM')).toBe(0);
});
