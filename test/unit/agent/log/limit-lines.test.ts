import { expect, test } from 'vitest';
import { createLogger } from '../../../../electron/agent/log/create-logger.ts';
import { createLineLimit } from '../../../../electron/agent/log/create-logger.ts';
import { createSystemClock } from '../../../../electron/agent/system-clock.ts';
import { FailureError } from '../../../../shared/domain/failure.ts';
import { failureOf } from '../../../helpers/queue-fixture.ts';

function openLog(level: 'debug' | 'info' = 'info') {
  let nowMs = 0;
  const lines: string[] = [];
  const logger = createLogger({
    level,
    format: 'json',
    clock: { ...createSystemClock(), monotonic: () => nowMs },
    rules: () => ({ secrets: [] }),
    write: (line) => lines.push(line),
  });
  const parsed = () => lines.map((line): Record<string, unknown> => JSON.parse(line));
  return { logger, lines, parsed, pass: (ms: number) => (nowMs += ms) };
}

const full = Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });

test('a fault that goes on is one line a minute, and the next one says how many were left out', () => {
  const { logger, parsed, pass } = openLog();
  for (let second = 0; second < 60; second += 1) {
    for (let each = 0; each < 58; each += 1) logger.error('The queue cannot be written', { error: full });
    pass(1_000);
  }
  expect(parsed()).toHaveLength(1);
  logger.error('The queue cannot be written', { error: full });
  expect(parsed().map(({ sameLines }) => sameLines)).toEqual([undefined, 60 * 58 - 1, undefined]);
  expect(parsed()[1]).toMatchObject({
    level: 'error',
    message: 'The queue cannot be written',
    code: 'SQLITE_FULL',
  });
});

test('what was left out is said with the next line of any kind, once its minute is over', () => {
  const { logger, parsed, pass } = openLog();
  logger.warn('A share errs');
  logger.warn('A share errs');
  logger.info('A clip was sent');
  pass(60_000);
  logger.info('A clip was sent');
  expect(parsed().map(({ message, sameLines }) => [message, sameLines])).toEqual([
    ['A share errs', undefined],
    ['A clip was sent', undefined],
    ['A share errs', 1],
    ['A clip was sent', undefined],
  ]);
});

test('faults with other messages, codes or clips are lines of their own, and news is never left out', () => {
  const { logger, lines } = openLog();
  const failing = (code: 'DISK_FULL' | 'FILE_READ') => new FailureError(failureOf(code));
  logger.error('a', { error: failing('DISK_FULL') });
  logger.error('a', { error: failing('FILE_READ') });
  logger.error('a', { error: failing('FILE_READ') });
  logger.error('b', { failure: failureOf('FILE_READ') });
  logger.warn('A clip failed', { clipId: '1', code: 'FILE_GONE' });
  logger.warn('A clip failed', { clipId: '2', code: 'FILE_GONE' });
  for (let each = 0; each < 10; each += 1) logger.info('A clip was sent');
  expect(lines).toHaveLength(15);
});

test('the pages see no more of a fault than the log does', () => {
  const { logger } = openLog();
  for (let each = 0; each < 1_000; each += 1) logger.error('a', { error: full });
  expect(logger.recent()).toMatchObject({ dropped: 0, lines: [{ message: 'a' }] });
});

test('a day of lines that all differ is under 50 MB', () => {
  let nowMs = 0;
  const limit = createLineLimit({ monotonic: () => nowMs });
  let bytes = 0;
  for (; nowMs < 24 * 60 * 60_000; nowMs += 1_000) if (limit.fits(2_000)) bytes += 2_000;
  expect(bytes).toBeGreaterThan(40_000_000);
  expect(bytes).toBeLessThan(50_000_001);
});

test('a log that reached the limit says later how many lines are missing', () => {
  const { logger, lines, parsed, pass } = openLog();
  const text = 'x'.repeat(1_000);
  for (let each = 0; each < 12_000; each += 1) logger.info(text);
  expect(lines.length).toBeLessThan(12_000);
  const missing = 12_000 - lines.splice(0).length;
  pass(24 * 60 * 60_000);
  logger.info('quiet again');
  expect(parsed().at(-1)).toMatchObject({ level: 'warn', lines: missing });
});

test('a log that was asked for everything has no limit of a day', () => {
  const { logger, lines } = openLog('debug');
  const text = 'x'.repeat(1_000);
  for (let each = 0; each < 12_000; each += 1) logger.debug(text);
  expect(lines).toHaveLength(12_000);
});
