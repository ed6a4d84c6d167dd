import { expect, test } from 'vitest';
import { createOutput, progressLine, showProgress } from '../../../electron/cli/output.ts';
import type { Progress } from '../../../electron/agent/agent.ts';
import { createSystemClock } from '../../../electron/agent/system-clock.ts';
import { createFakeAgent, failure, idle } from './fake-deps.ts';

function terminal(isTTY: boolean, environment: Record<string, string> = {}) {
  const screen: string[] = [];
  const write = (text: string): void => void screen.push(text);
  const output = createOutput({
    stdout: { write },
    stderr: { write, isTTY, columns: 40 },
    environment,
    clean: (text) => text.replaceAll('secret', '[removed]').replaceAll(/\?\S+/g, '?[removed]'),
    removeKeys: (text) => text.replaceAll('secret', '[removed]'),
  });
  return { screen, output };
}

const CLEAR = '\r\u001b[K';

test('takes the progress line away before a line and draws it again after', () => {
  const { screen, output } = terminal(true);
  output.progress('10%');
  output.progress('10%');
  output.line('a clip');
  output.progress('20%');
  output.progress(undefined);
  output.line('done');
  expect(screen).toEqual(['10%', CLEAR, 'a clip\n', '10%', CLEAR, '20%', CLEAR, 'done\n']);
});

test.each([
  ['no terminal', false, {}],
  ['NO_COLOR', true, { NO_COLOR: '1' }],
  ['a dumb terminal', true, { TERM: 'dumb' }],
])('shows no progress with %s', (_, isTTY, environment) => {
  const { screen, output } = terminal(isTTY, environment);
  expect(output.showsProgress).toBe(false);
  output.progress('10%');
  output.note('note');
  expect(screen).toEqual(['note\n']);
});

test('shows progress with an empty NO_COLOR, as its rule says', () => {
  expect(terminal(true, { NO_COLOR: '' }).output.showsProgress).toBe(true);
});

test('takes secrets and steering characters out of everything', () => {
  const { screen, output } = terminal(false);
  output.line('a secret\u001b[2J\u202e');
  output.note('two\nlines\r');
  expect(screen).toEqual(['a [removed]\ufffd[2J\ufffd\n', 'two\nlines\ufffd\n']);
});

test('writes data as they are, without secrets and steering characters', () => {
  const { screen, output } = terminal(false);
  output.data('a secret,https://a.example?b=c\r\nnext\u001b[2J\rline');
  expect(screen).toEqual(['a [removed],https://a.example?b=c\r\nnext\ufffd[2J\ufffdline']);
});

test('asks without a line end', () => {
  const { screen, output } = terminal(true);
  output.question('Name of secret: ');
  expect(screen).toEqual(['Name of [removed]: ']);
});

test.each([
  ['its columns', { isTTY: true, columns: 120 }, 120],
  ['80 when a terminal does not tell', { isTTY: true }, 80],
  ['none in a file or pipe', { columns: 120 }, undefined],
])('knows the width of results: %s', (_, stdout, width) => {
  const write = (): undefined => undefined;
  const same = (text: string): string => text;
  const options = { stderr: { write }, environment: {}, clean: same, removeKeys: same };
  expect(createOutput({ ...options, stdout: { write, ...stdout } }).width()).toBe(width);
});

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
  ['paused', { pausedBecause: failure('KEY_REFUSED') }, 1, 'On hold: KEY_REFUSED happened.  3 of 7 clips'],
  ['with nothing to do', { clipsUploaded: 7 }, 1, 'Nothing waiting  7 of 7 clips'],
  ['with failures only', { clipsUploaded: 5, clipsFailed: 2 }, 1, 'Nothing waiting  5 of 7 clips, 2 failed'],
  ['settling only', { ...idle, settling: 1 }, 0, '1 file may not be finished yet  0 of 0 clips'],
  [
    'settling meanwhile',
    { settling: 2 },
    undefined,
    '[██████████░░░░░░░░░░]  50%  1.0 GB of 2.0 GB  3 of 7 clips  2 files may not be finished yet',
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

/** A clock that advances by each sleep, as fast as the event loop turns. */
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
  // 1 GB, of which 10 MB per second are sent
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
  await expect.poll(() => clock.monotonic()).toBeGreaterThan(50_000);
  stop();
  const lines = screen.split('\r\u001b[K');
  expect(lines[0]).toBe(`[${'░'.repeat(20)}]   0%  0 B of 1.0 GB  0 of 1 clip`);
  const drawnAt20s = lines.find((line) => line.includes(' 200.0 MB of'));
  expect(drawnAt20s).toBe(
    '[████░░░░░░░░░░░░░░░░]  20%  10.0 MB/s  1 min 20 s left  200.0 MB of 1.0 GB  0 of 1 clip',
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
