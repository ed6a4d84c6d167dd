import { expect, test, vi } from 'vitest';
import type { Progress } from '../../../electron/agent/agent.ts';
import { createSystemClock } from '../../../electron/agent/system-clock.ts';
import { createOutput } from '../../../electron/cli/output.ts';
import { progressLine, showProgress } from '../../../electron/cli/progress-line.ts';
import { createFakeAgent, failure, idle } from './fake-deps.ts';

const half: Progress = {
  ...idle,
  incidents: 1,
  clips: 7,
  clipsUploaded: 3,
  bytesTotal: 2_000_000_000,
  bytesUploaded: 900_000_000,
  bytesInFlight: 100_000_000,
};

test.each<[string, Partial<Progress>, number | undefined, string]>([
  [
    'moving',
    {},
    40_000_000,
    '[██████████░░░░░░░░░░]  50%  40.0 MB/s  25 s left  1.0 GB of 2.0 GB  3 of 7 clips',
  ],
  ['before a speed is known', {}, undefined, '[██████████░░░░░░░░░░]  50%  1.0 GB of 2.0 GB  3 of 7 clips'],
  ['standing still', {}, 0, '[██████████░░░░░░░░░░]  50%  1.0 GB of 2.0 GB  3 of 7 clips'],
  [
    'with failures',
    { clipsFailed: 2 },
    undefined,
    '[██████████░░░░░░░░░░]  50%  1.0 GB of 2.0 GB  3 of 7 clips, 2 failed',
  ],
  [
    'nearly done',
    { bytesInFlight: 1_099_999_999 },
    1e9,
    '[███████████████████░]  99%  1.0 GB/s  1 s left  2.0 GB of 2.0 GB  3 of 7 clips',
  ],
  ['with bytes all sent', { bytesInFlight: 1_100_000_000 }, 1e9, 'Finishing  3 of 7 clips'],
  ['paused', { pausedBecause: failure('KEY_REFUSED') }, 1, 'Paused: KEY_REFUSED happened.  3 of 7 clips'],
  ['with nothing to do', { clipsUploaded: 7 }, 1, 'Nothing waits  7 of 7 clips'],
  ['with failures only', { clipsUploaded: 5, clipsFailed: 2 }, 1, 'Nothing waits  5 of 7 clips, 2 failed'],
  ['settling only', { ...idle, settling: 1 }, 0, '1 file is still being written  0 of 0 clips'],
  [
    'settling meanwhile',
    { settling: 2 },
    undefined,
    '[██████████░░░░░░░░░░]  50%  1.0 GB of 2.0 GB  3 of 7 clips  2 files are still being written',
  ],
])('says in one line: %s', (_, change, bytesPerSecond, line) => {
  const progress = { ...half, ...change };
  expect(progressLine({ progress, bytesBefore: 0, bytesPerSecond, columns: 120 })).toBe(line);
});

test('is about this run: what was done before does not fill the bar', () => {
  const line = progressLine({
    progress: half,
    bytesBefore: 900_000_000,
    bytesPerSecond: undefined,
    columns: 80,
  });
  expect(line).toContain('[█░░░░░░░░░░░░░░░░░░░]   9%  100.0 MB of 1.1 GB');
});

test.each([200, 80, 60, 40, 30, 20, 5, 1, 0])('fits into a terminal of %d columns', (columns) => {
  const line = progressLine({ progress: half, bytesBefore: 0, bytesPerSecond: 4e7, columns });
  expect([...line].length).toBeLessThan(Math.max(2, columns));
});

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
  const stop = showProgress(agent, { output, clock });
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
  expect(() => showProgress(agent, { output, clock: fastClock() })()).not.toThrow();
});
