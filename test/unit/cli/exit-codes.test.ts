import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { failureCodes } from '../../../shared/domain/failure.ts';
import {
  exitCodeFor,
  exitCodes,
  listenForStop,
  untilStopped,
  type ExitCode,
} from '../../../electron/cli/exit-codes.ts';

test.each([
  ['CONFIG_MISSING', 10],
  ['CONFIG_BROKEN', 10],
  ['CONFIG_UNKNOWN_KEY', 10],
  ['CONFIG_RANGE', 10],
  ['CONFIG_URL', 10],
  ['ROOT_FORBIDDEN', 10],
  ['KEY_REFUSED', 11],
  ['NOT_SET_UP', 10],
  ['POLICY_INVALID', 10],
  ['KEY_MISSING', 11],
  ['KEY_FORMAT', 11],
  ['KEY_FILE_OPEN', 11],
  ['VIDEO_PERMISSION_MISSING', 11],
  ['NETWORK', 12],
  ['API_TIMEOUT', 12],
  ['API_NOT_JSON', 12],
  ['TLS_REFUSED', 12],
  ['SERVICE_FAULT', 12],
  ['API_ADDRESS', 12],
  // Problems of the service or its storage, whatever they are
  ['API_PARTS', 12],
  ['API_ETAG', 12],
  ['URL_REFUSED', 12],
  ['URL_EXPIRED', 12],
  ['STORAGE_DENIED', 12],
  ['STORAGE_SIGNATURE', 12],
  ['STORAGE_NO_UPLOAD', 12],
  ['STORAGE_REJECTED', 12],
  ['BYTES_DAMAGED', 12],
  ['VALIDATION', 1],
  ['FILE_CHANGED', 1],
  ['DATA_IN_USE', 13],
  ['DB_BROKEN', 1],
  ['DISK_FULL', 1],
  ['CANCELLED', 1],
] as const)('%s ends with %d', (code, exit) => {
  expect(exitCodeFor(code)).toBe(exit);
});

test.each(failureCodes.filter((code) => /^(CONFIG|KEY)_/.test(code)))(
  '%s has an exit code of its kind',
  (code) => {
    expect(exitCodeFor(code)).toBe(code.startsWith('KEY_') ? exitCodes.keyRefused : exitCodes.configuration);
  },
);

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

test.each<[string, () => Promise<ExitCode>, ExitCode]>([
  ['fails', async () => exitCodes.fault, 130],
  ['is broken off', () => Promise.reject(new Error('stopped')), 130],
  ['was done all the same', async () => exitCodes.ok, 0],
])('work that a signal meets and that %s ends with the right code', async (_how, end, exit) => {
  const source = new EventEmitter();
  const stop = listenForStop(source, () => undefined);
  const work = (signal: AbortSignal): Promise<ExitCode> => {
    source.emit('SIGINT');
    expect(signal.aborted).toBe(true);
    return end();
  };
  expect(await untilStopped(stop, work)).toBe(exit);
  expect(source.listenerCount('SIGINT')).toBe(0);
});

test('work that nobody stopped ends as it ends', async () => {
  const stop = () => listenForStop(new EventEmitter(), () => undefined);
  expect(await untilStopped(stop(), async () => exitCodes.fault)).toBe(exitCodes.fault);
  await expect(untilStopped(stop(), () => Promise.reject(new Error('a fault')))).rejects.toThrow('a fault');
});
