import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi, type TestContext } from 'vitest';
import { BENCH_TIMEOUT_MS, startBench, type Bench } from '../../helpers/agent-bench.ts';
import { failedThreads, noStrace, runUnder, strace, type Line } from '../../helpers/agent-under.ts';
import { long, mostlyLong } from '../../helpers/long.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

const first = { 'Gate 1/a.ts': 100_000 };
const later = Object.fromEntries(
  Array.from({ length: 12 }, (_, number) => [`Gate ${number + 2}/a.ts`, 20_000 + number] as const),
);

/** This many small clips in each of this many folders. */
function clipsIn(folders: number, clips: number): Readonly<Record<string, number>> {
  const paths = Array.from({ length: clips }, (_, number) => `Gate ${(number % folders) + 20}/${number}.ts`);
  return Object.fromEntries(paths.map((path, number) => [path, 2_000 + number]));
}

/** A desk with an existing queue, much to send and no agent. */
async function prepare(context: TestContext, more: Readonly<Record<string, number>> = later): Promise<Bench> {
  const bench = await startBench(context, { files: first });
  await bench.untilIdle();
  await bench.stopAgent();
  for (const [path, spec] of Object.entries(more)) await bench.write(path, spec);
  return bench;
}

const reopenings = (lines: readonly Line[]) =>
  lines.filter(
    ({ event, code, message }) =>
      event === 'warning' && code === 'DISK_ERROR' && message?.includes('being reopened') === true,
  );

/** An agent on a healthy disk sends the rest; nothing was lost, and nothing failed. */
async function finish(bench: Bench, files: Readonly<Record<string, number>>): Promise<void> {
  await bench.startAgent();
  await bench.untilIdle();
  expect(bench.of('clip.failed')).toEqual([]);
  await bench.expectWhole({ files, kills: 4, mayLogErrors: true });
}

test.skipIf(process.platform === 'win32')(
  'fault 17: after a write that failed the queue is closed, being reopened, and goes on',
  async (context) => {
    const bench = await prepare(context);
    // A POSIX shell counts blocks of 512 bytes: the log exceeds the limit, the database itself does not
    const lines = await runUnder(bench, ['sh', '-c', 'ulimit -f 900; exec "$@"', 'sh']);
    expect(reopenings(lines).length).toBeGreaterThan(0);
    expect(reopenings(lines)[0]?.message).toContain(bench.dataDir);
    expect(lines.filter(({ event }) => event === 'clip.failed')).toEqual([]);
    expect(['idle', 'ended']).toContain(lines.at(-1)?.event);
    await finish(bench, { ...first, ...later });
  },
);

test.skipIf(noStrace !== undefined)(
  `a full quota, which SQLite takes for an error of the disk, is a pause that ends by itself (${noStrace ?? 'strace'})`,
  async (context) => {
    const bench = await prepare(context);
    const log = strace(bench, 'pwrite64', 'error=EDQUOT:when=20..24');
    const trial = ['-e', 'trace=pwrite64,write', '-e', 'inject=write:error=EDQUOT'];
    const lines = await runUnder(bench, [...log, '-P', join(bench.dataDir, 'write-test.tmp'), ...trial]);
    expect(lines.filter(({ event }) => event === 'warning')).toEqual([]);
    const pauses = lines.filter(({ event }) => event.startsWith('circuit.'));
    // It takes one pause or two to use up the failures
    expect(pauses.length).toBeGreaterThan(0);
    for (const [index, pause] of pauses.entries())
      expect(pause).toMatchObject(
        index % 2 === 0
          ? {
              event: 'circuit.paused',
              code: 'DISK_FULL',
              message: expect.stringContaining("account's quota"),
            }
          : { event: 'circuit.resumed' },
      );
    expect(pauses.at(-1)?.event).toBe('circuit.resumed');
    expect(existsSync(join(bench.dataDir, 'write-test.tmp'))).toBe(false);
    await finish(bench, { ...first, ...later });
  },
);

/** One thread for files, so that a single call fails instead of one in each thread. */
const inOneThread = ['env', 'UV_THREADPOOL_SIZE=1'];

/** The log of few clips is checkpointed once or twice; that of many at least three times. */
const few = clipsIn(4, 500);
const many = clipsIn(4, 1_600);

/**
 * Syncs of the log, beside the main thread, and of the database in a checkpoint, which takes a longer queue. In the
 * latter case the main thread's first sync fails too, while it reopens the queue, and so does the first of each later
 * thread.
 */
const syncs = [
  {
    what: 'of the log',
    call: 'fdatasync',
    when: 20,
    file: 'queue.db-wal',
    more: later,
    long: later,
    besides: 0,
  },
  { what: 'of a checkpoint', call: 'fsync', when: 1, file: 'queue.db', more: few, long: many, besides: 1 },
] as const;

mostlyLong(syncs, 1, (some) =>
  test.skipIf(noStrace !== undefined).for(some)(
    `fault 18: one sync $what that fails costs nothing (${noStrace ?? 'strace'})`,
    async ({ call, when, file, more, besides }, context) => {
      const bench = await prepare(context, more);
      const failing = strace(bench, call, `error=EIO:when=${when}`, file);
      const lines = await runUnder(bench, [...inOneThread, ...failing]);
      const failed = failedThreads(bench).size - besides;
      expect(failed).toBeGreaterThan(0);
      expect([reopenings(lines).length, lines.at(-1)?.event]).toEqual([failed, 'idle']);
      await finish(bench, { ...first, ...more });
    },
  ),
);

mostlyLong(syncs, 1, (some) =>
  test.skipIf(noStrace !== undefined).for(some)(
    `fault 18: a disk whose syncs $what fail for ever ends the agent after three times, with a clear text (${noStrace ?? 'strace'})`,
    async ({ call, when, file, long: more }, context) => {
      const bench = await prepare(context, more);
      const failing = strace(bench, call, `error=EIO:when=${when}+`, file);
      const lines = await runUnder(bench, [...inOneThread, ...failing]);
      expect(lines.at(-1)).toMatchObject({ event: 'ended', failure: { code: 'DISK_ERROR' } });
      expect(lines.at(-1)?.failure?.message).toMatch(/3 times in a row, so the agent has stopped\.$/);
      expect(lines.at(-1)?.failure?.advice).toMatch(
        /^Check the disk\. Clips that were sent are not affected\./,
      );
      await finish(bench, { ...first, ...more });
    },
  ),
);

test.skipIf(noStrace !== undefined)(
  `fault 19: an fsync that takes two seconds holds up no window, and nothing fails or is lost (${noStrace ?? 'strace'})`,
  async (context) => {
    await sendOnSlowDisk(context, 1);
  },
);

test.skipIf(noStrace !== undefined)(
  `fault 19: checkpoints with syncs of two seconds hold up no window, and the log of the queue stays short (${noStrace ?? 'strace'})`,
  long(),
  async (context) => {
    const log = await sendOnSlowDisk(context, 240);
    expect(log.beginnings).toBeGreaterThan(1);
    expect(log.mostBytes).toBeLessThan(12 * 1024 * 1024);
  },
);

/** Returns what became of the queue's log. */
async function sendOnSlowDisk(context: TestContext, clips: number): Promise<Log> {
  const some = clipsIn(4, clips);
  const bench = await prepare(context, some);
  const log = watchLog(join(bench.dataDir, 'queue.db-wal'));
  const lines = await runUnder(bench, strace(bench, 'fsync,fdatasync', 'delay_enter=2000000', ''));
  expect(lines.at(-1)?.event).toBe('idle');
  expect(lines.filter(({ event }) => event === 'clip.uploaded')).toHaveLength(clips);
  expect(lines.filter(({ event }) => event === 'warning' || event === 'clip.failed')).toEqual([]);
  // Well below the delay of two seconds, and well above what a busy machine may take
  expect(lines.find(({ event }) => event === 'loop')?.longestMs).toBeLessThan(1_000);
  await finish(bench, { ...first, ...some });
  return log();
}

interface Log {
  readonly mostBytes: number;
  readonly beginnings: number;
}

/** Watches the log of a queue; whenever the log starts over, it has another number at this position. */
function watchLog(file: string): () => Log {
  let mostBytes = 0;
  const numbers = new Set<string>();
  const timer = setInterval(() => {
    if (!existsSync(file)) return;
    const log = readFileSync(file);
    mostBytes = Math.max(mostBytes, log.length);
    if (log.length > 0) numbers.add(log.toString('hex', 16, 20));
  }, 100);
  return () => {
    clearInterval(timer);
    return { mostBytes, beginnings: numbers.size };
  };
}
