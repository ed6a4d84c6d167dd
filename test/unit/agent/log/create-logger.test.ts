import { expect, test, it } from 'vitest';
import {
  createLogger,
  type LoggerOptions,
  createRecentLog,
  recentLines,
  oncePerMinute,
} from '../../../../electron/agent/log/create-logger.ts';
import { createSecretRegister, registerSecrets } from '../../../../electron/agent/log/secret-register.ts';
import { createSystemClock } from '../../../../electron/agent/system-clock.ts';
import { createFakeClock } from '../../../helpers/fake-clock.ts';

const clock = { ...createSystemClock(), now: () => Date.UTC(2026, 4, 1, 19, 30, 5) };

function logTo(options: Partial<LoggerOptions>) {
  const lines: string[] = [];
  const logger = createLogger({
    level: 'debug',
    format: 'json',
    clock,
    rules: () => ({ secrets: [] }),
    write: (line) => lines.push(line),
    ...options,
  });
  return { lines, logger };
}

test('writes one JSON object a line', () => {
  const { lines, logger } = logTo({});
  logger.warn('part was refused', { part: 3, status: 503, file: undefined });
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { at: '2026-05-01T19:30:05.000Z', level: 'warn', message: 'part was refused', part: 3, status: 503 },
  ]);
});

test('writes text with fields behind the message', () => {
  const { lines, logger } = logTo({ format: 'text' });
  logger.info('part was sent', { part: 3, file: 'a b.mp4', root: '/exports' });
  expect(lines).toEqual(['2026-05-01T19:30:05.000Z INFO  part was sent part=3 file="a b.mp4" root=/exports']);
});

test.each([
  ['debug', 4],
  ['info', 3],
  ['warn', 2],
  ['error', 1],
] as const)('from level %s on writes %d of the four', (level, count) => {
  const { lines, logger } = logTo({ level });
  logger.debug('a');
  logger.info('b');
  logger.warn('c');
  logger.error('d');
  expect(lines).toHaveLength(count);
});

test.each(['json', 'text'] as const)(
  'cannot be made to write a second line or to steer a terminal in %s',
  (format) => {
    const { lines, logger } = logTo({ format });
    logger.error('bad\nname', { file: 'a\r\n2026 INFO all is well\u001b[2J\u202egpj.exe\u2028' });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^[^\p{Cc}\u2028\u202e]+$/u);
    expect(lines[0]).toContain('u001b[2J');
  },
);

test('keeps its own fields when a caller uses their names', () => {
  const { lines, logger } = logTo({});
  logger.info('true', { level: 'error', at: 'never', message: 'false' });
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'info', message: 'true', level_: 'error' });
});

test('hides a key from the moment it was handed out, and an old key still after it was replaced', async () => {
  const register = createSecretRegister();
  let stored = 'first-key-123456';
  const secrets = registerSecrets({ apiKey: () => Promise.resolve(stored) }, register);
  const { lines, logger } = logTo({ rules: () => ({ secrets: register.forms() }) });
  await secrets.apiKey();
  stored = 'second-key-654321';
  await secrets.apiKey();
  logger.error(`refused first-key-123456`, {
    body: 'second-key-654321',
    cause: new Error('first-key-123456'),
  });
  expect(lines.join()).not.toMatch(/first-key|second-key/);
  expect(lines.join()).toContain('[removed]');
});

test('survives fields that cannot be read', () => {
  const { lines, logger } = logTo({});
  const fields = new Proxy(
    {},
    {
      ownKeys: () => {
        throw new Error('no');
      },
    },
  );
  logger.error('odd', fields);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ message: 'odd', fields: '[unreadable]' });
});

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

it('writes a line that comes many times a second once a minute, and says how many it left out', () => {
  const lines: unknown[] = [];
  const at = (level: string) => (message: string, fields?: unknown) =>
    void lines.push([level, message, fields]);
  let nowMs = 0;
  const logger = oncePerMinute(
    { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') },
    { monotonic: () => nowMs },
  );
  for (; nowMs < 120_000; nowMs += 500) logger.error('It failed', { path: '/exports' });
  logger.warn('Something else');
  logger.info('Information');
  logger.info('Information');
  expect(lines).toEqual([
    ['error', 'It failed', { path: '/exports' }],
    ['error', 'It failed', { path: '/exports', leftOut: 119 }],
    ['warn', 'Something else', undefined],
    ['info', 'Information', undefined],
    ['info', 'Information', undefined],
  ]);
});
