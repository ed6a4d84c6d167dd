import { expect, test } from 'vitest';
import { createLogger, type LoggerOptions } from '../../../../electron/agent/log/create-logger.ts';
import { createSecretRegister, registerSecrets } from '../../../../electron/agent/log/secret-register.ts';
import { createSystemClock } from '../../../../electron/agent/system-clock.ts';

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
