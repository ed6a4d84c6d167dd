import { expect, it } from 'vitest';
import { createLogger } from '../../../../electron/agent/log/create-logger.ts';
import { createRecentLog, recentLines } from '../../../../electron/agent/log/recent-log.ts';
import { createFakeClock } from '../../../helpers/fake-clock.ts';

const KEY = 'canary-8f3e1d-0815';

function makeLogger(level: 'debug' | 'error') {
  const written: string[] = [];
  const logger = createLogger({
    level,
    format: 'text',
    write: (line) => written.push(line),
    clock: createFakeClock(),
    rules: () => ({ secrets: [KEY], homeDir: '/home/desk' }),
  });
  return { logger, written };
}

it('keeps the last lines and counts those that went', () => {
  const log = createRecentLog(2);
  for (const message of ['one', 'two', 'three'])
    log.keep({ at: '2026-05-01T00:00:00.000Z', level: 'info', message, fields: '' });
  const { lines, dropped } = log.read();
  expect(lines.map(({ number, message }) => [number, message])).toEqual([
    [2, 'two'],
    [3, 'three'],
  ]);
  expect(dropped).toBe(1);
});

it('keeps information where only errors are written, and details nowhere', () => {
  const quiet = makeLogger('error');
  quiet.logger.info('A clip was sent');
  quiet.logger.debug('A detail');
  expect(quiet.written).toEqual([]);
  expect(recentLines(quiet.logger).lines.map(({ message }) => message)).toEqual(['A clip was sent']);
  const loud = makeLogger('debug');
  loud.logger.debug('A detail');
  expect(loud.written).toHaveLength(1);
  expect(recentLines(loud.logger).lines).toEqual([]);
});

it('keeps lines as they are written: without secrets, without the home folder, without what steers', () => {
  const { logger } = makeLogger('error');
  logger.warn(`Refused: Bearer ${KEY}`, { path: '/home/desk/a\u202eb', url: `https://x.example/a?k=${KEY}` });
  const [line] = recentLines(logger).lines;
  expect(line?.fields).toBe('{"path":"~/a\\u202eb","url":"https://x.example/a?[removed]"}');
  expect(JSON.stringify(line)).not.toContain(KEY);
});

it('a logger that keeps nothing has said nothing', () => {
  const ignore = (): void => undefined;
  expect(recentLines({ debug: ignore, info: ignore, warn: ignore, error: ignore })).toEqual({
    lines: [],
    dropped: 0,
  });
});
