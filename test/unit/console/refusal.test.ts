import { expect, it } from 'vitest';
import { createRefusalLog } from '../../../electron/console/refusal.ts';
import { createFakeClock } from '../../helpers/fake-clock.ts';

function start() {
  const clock = createFakeClock();
  const lines: unknown[] = [];
  const silent = () => undefined;
  const logger = {
    debug: silent,
    info: silent,
    error: silent,
    warn: (message: string, fields?: unknown) => void lines.push([message, fields]),
  };
  return { clock, lines, log: createRefusalLog(logger, clock) };
}

it('tells the first refusal of each reason, and then once a minute how many there were', async () => {
  const { clock, lines, log } = start();
  const host = { status: 421, text: 'Another host.' } as const;
  const origin = { status: 403, text: 'Another origin.' } as const;
  for (let times = 0; times < 1000; times += 1) log.note(host);
  log.note(origin);
  await clock.advance(60_000);
  log.note(host);
  expect(lines).toEqual([
    ['The console refused a request.', { status: 421, reason: 'Another host.', count: 1 }],
    ['The console refused a request.', { status: 403, reason: 'Another origin.', count: 1 }],
    ['The console refused a request.', { status: 421, reason: 'Another host.', count: 1001 }],
  ]);
});

it('does not tell of an address that leads nowhere', () => {
  const { lines, log } = start();
  log.note({ status: 404, text: 'Nothing there.' });
  expect(lines).toEqual([]);
});
