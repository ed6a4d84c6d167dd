import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test, vi, type TestContext } from 'vitest';
import { BENCH_TIMEOUT_MS, startBench, type Bench } from '../../helpers/agent-bench.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

const AGENT = fileURLToPath(new URL('agent-on-disk.ts', import.meta.url));
const first = { 'Gate 1/a.ts': 100_000 };
const later = Object.fromEntries(
  Array.from({ length: 12 }, (_, number) => [`Gate ${number + 2}/a.ts`, 20_000 + number] as const),
);
const all = { ...first, ...later };

/** Why system calls cannot be made to fail here; undefined when they can. */
const noStrace = (() => {
  try {
    execFileSync('strace', ['-o', '/dev/null', 'true'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'strace is missing or not permitted';
  }
})();

/** An agent that does not end by itself by then, milliseconds, is ended, and what it said shows where it stood. */
const LONGEST_RUN_MS = 60_000;

interface Line {
  readonly event: string;
  readonly code?: string;
  readonly message?: string;
  readonly failure?: { readonly code: string; readonly message: string; readonly advice: string };
}

/** A desk whose queue exists already, with much to do and no agent. */
async function prepare(context: TestContext, more: Readonly<Record<string, number>> = later): Promise<Bench> {
  const bench = await startBench(context, { files: first });
  await bench.untilIdle();
  await bench.stopAgent();
  for (const [path, spec] of Object.entries(more)) await bench.write(path, spec);
  return bench;
}

/** Runs an agent under a command that makes its disk fail; answers what it said. */
async function runUnder(bench: Bench, command: readonly string[]): Promise<readonly Line[]> {
  const { root, dataDir, simulator } = bench;
  const settings = { watch: [{ path: root, settleSeconds: 0.1 }], baseUrl: simulator.baseUrl };
  const program = [process.execPath, '--no-warnings', AGENT];
  const given = JSON.stringify({ settings, dataDir, apiKey: simulator.apiKey });
  const [file = '', ...args] = [...command, ...program, given];
  const child = spawn(file, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LONGEST_RUN_MS,
    killSignal: 'SIGKILL',
  });
  let text = '';
  let problems = '';
  child.stdout.on('data', (chunk) => (text += String(chunk)));
  child.stderr.on('data', (chunk) => (problems += String(chunk)));
  await once(child, 'close');
  const lines = text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line): Line => JSON.parse(line));
  if (lines.length === 0) throw new Error(`The agent said nothing: ${problems}`);
  return lines;
}

const strace = (bench: Bench, calls: string, what: string): readonly string[] => [
  'strace',
  '-f',
  '-qq',
  '--seccomp-bpf',
  '-o',
  '/dev/null',
  '-P',
  join(bench.dataDir, 'queue.db-wal'),
  '-e',
  `trace=${calls}`,
  '-e',
  `inject=${calls}:${what}`,
];
const reopenings = (lines: readonly Line[]) =>
  lines.filter(
    ({ event, code, message }) =>
      event === 'warning' && code === 'DISK_ERROR' && message?.includes('opened again') === true,
  );

/** What was left is sent by an agent on a healthy disk; nothing was lost, and nothing failed. */
async function finish(bench: Bench, files: Readonly<Record<string, number>> = all): Promise<void> {
  await bench.startAgent();
  await bench.untilIdle();
  expect(bench.of('clip.failed')).toEqual([]);
  await bench.expectWhole({ files, kills: 4, mayLogErrors: true });
}

test.skipIf(process.platform === 'win32')(
  'fault 17: after a write that failed the queue is closed, opened again, and goes on',
  async (context) => {
    const bench = await prepare(context);
    // In blocks of 512 bytes in a POSIX shell: the log reaches it, the database itself does not
    const lines = await runUnder(bench, ['sh', '-c', 'ulimit -f 900; exec "$@"', 'sh']);
    expect(reopenings(lines).length).toBeGreaterThan(0);
    expect(reopenings(lines)[0]?.message).toContain(bench.dataDir);
    expect(lines.filter(({ event }) => event === 'clip.failed')).toEqual([]);
    expect(['idle', 'ended']).toContain(lines.at(-1)?.event);
    await finish(bench);
  },
);

test.skipIf(noStrace !== undefined)(
  `fault 18: one fsync that fails costs nothing (${noStrace ?? 'strace'})`,
  async (context) => {
    const bench = await prepare(context);
    const lines = await runUnder(bench, strace(bench, 'fsync,fdatasync', 'error=EIO:when=20'));
    expect([reopenings(lines).length, lines.at(-1)?.event]).toEqual([1, 'idle']);
    await finish(bench);
  },
);

test.skipIf(noStrace !== undefined)(
  `fault 18: a disk whose fsync fails for ever ends the agent after three times, with a clear text (${noStrace ?? 'strace'})`,
  async (context) => {
    const bench = await prepare(context);
    const lines = await runUnder(bench, strace(bench, 'fsync,fdatasync', 'error=EIO:when=20+'));
    expect(lines.at(-1)).toMatchObject({ event: 'ended', failure: { code: 'DISK_ERROR' } });
    expect(lines.at(-1)?.failure?.message).toMatch(/3 times in a row, so the agent has stopped\.$/);
    expect(lines.at(-1)?.failure?.advice).toMatch(/^Check the disk\. What was sent stays sent\./);
    await finish(bench);
  },
);

// The queue is written on the main thread: calls of the pages wait for an fsync as well, up to the two seconds of the row
test.skipIf(noStrace !== undefined)(
  `fault 19: an fsync that takes long slows the queue down, and nothing fails or is lost (${noStrace ?? 'strace'})`,
  async (context) => {
    const few = { 'Gate 2/a.ts': 20_000, 'Gate 3/a.ts': 20_001 };
    const bench = await prepare(context, few);
    const lines = await runUnder(bench, strace(bench, 'fsync,fdatasync', 'delay_enter=100000'));
    expect(lines.at(-1)?.event).toBe('idle');
    expect(lines.filter(({ event }) => event === 'clip.uploaded')).toHaveLength(2);
    expect(lines.filter(({ event }) => event === 'warning' || event === 'clip.failed')).toEqual([]);
    await finish(bench, { ...first, ...few });
  },
);
