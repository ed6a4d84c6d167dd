import { expect, it } from 'vitest';
import { oncePerMinute } from '../../../../electron/agent/log/once-per-minute.ts';

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
