import { expect, test, vi } from 'vitest';
import type { Progress } from '../../../electron/agent/agent.ts';
import { createOutput } from '../../../electron/cli/output.ts';
import { showProgress } from '../../../electron/cli/show-progress.ts';
import { createSystemClock } from '../../../electron/agent/system-clock.ts';
import { createFakeAgent, idle } from './fake-deps.ts';

/** A clock that moves by what is slept, as fast as the event loop turns. */
function fastClock() {
  let nowMs = 0;
  return {
    now: () => nowMs,
    monotonic: () => nowMs,
    random: () => 0,
    after: createSystemClock().after,
    sleep: async (delayMs: number, signal?: AbortSignal) => {
      await new Promise((resolve) => setImmediate(resolve));
      signal?.throwIfAborted();
      nowMs += delayMs;
    },
  };
}

test('draws bar, speed and time left four times a second, and takes the line away', async () => {
  const clock = fastClock();
  // 1 GB, of which 10 MB a second are sent
  const progressNow = (): Progress => ({
    ...idle,
    clips: 1,
    bytesTotal: 1e9,
    bytesInFlight: (clock.monotonic() / 1000) * 1e7,
  });
  const { agent } = createFakeAgent({ progressNow });
  let screen = '';
  const stream = { write: (text: string) => (screen += text), isTTY: true, columns: 100 };
  const same = (text: string): string => text;
  const output = createOutput({
    stdout: stream,
    stderr: stream,
    environment: {},
    clean: same,
    removeKeys: same,
  });
  const stop = showProgress({ agent, output, clock });
  await vi.waitFor(() => expect(clock.monotonic()).toBeGreaterThan(50_000));
  stop();
  const lines = screen.split('\r\u001b[K');
  expect(lines[0]).toBe(`[${'░'.repeat(20)}]   0%  0 B of 1.0 GB  0 of 1 clips`);
  const drawnAt20s = lines.find((line) => line.includes(' 200.0 MB of'));
  expect(drawnAt20s).toBe(
    '[████░░░░░░░░░░░░░░░░]  20%  10.0 MB/s  1 min 20 s left  200.0 MB of 1.0 GB  0 of 1 clips',
  );
  expect(lines.at(-1)).toBe('');
  const lookedAt = clock.monotonic();
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
  expect(clock.monotonic()).toBeLessThanOrEqual(lookedAt + 250);
});

test('asks nothing when there is no terminal', () => {
  const { agent } = createFakeAgent({
    progressNow: () => {
      throw new Error('asked');
    },
  });
  const stream = { write: () => undefined };
  const same = (text: string): string => text;
  const output = createOutput({
    stdout: stream,
    stderr: stream,
    environment: {},
    clean: same,
    removeKeys: same,
  });
  expect(() => showProgress({ agent, output, clock: fastClock() })()).not.toThrow();
});
