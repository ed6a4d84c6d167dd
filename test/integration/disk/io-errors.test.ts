import { expect, test, vi, type TestContext } from 'vitest';
import { BENCH_TIMEOUT_MS, startBench, type Bench } from '../../helpers/agent-bench.ts';
import { noStrace, runUnder, strace, type Line } from '../../helpers/agent-under.ts';
import { mostlyLong } from '../../helpers/long.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

const first = { 'Gate 1/a.ts': 100_000 };
const later = Object.fromEntries(
  Array.from({ length: 12 }, (_, number) => [`Gate ${number + 2}/a.ts`, 20_000 + number] as const),
);
const all = { ...first, ...later };

/** A desk whose queue exists already, with much to do and no agent. */
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

/** What was left is sent by an agent on a healthy disk; nothing was lost, and nothing failed. */
async function finish(bench: Bench, files: Readonly<Record<string, number>> = all): Promise<void> {
  await bench.startAgent();
  await bench.untilIdle();
  expect(bench.of('clip.failed')).toEqual([]);
  await bench.expectWhole({ files, kills: 4, mayLogErrors: true });
}

test.skipIf(process.platform === 'win32')(
  'fault 17: after a write that failed the queue is closed, being reopened, and goes on',
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

/** One thread for files: strace counts the calls of each thread for itself. */
const inOneThread = ['env', 'UV_THREADPOOL_SIZE=1'];

// SQLite's own, within a commit on the main thread, and those of the log beside it
const syncs = [
  ['fsync', 5],
  ['fdatasync', 20],
] as const;

mostlyLong(syncs, 1, (some) =>
  test.skipIf(noStrace !== undefined).for(some)(
    `fault 18: one %s that fails costs nothing (${noStrace ?? 'strace'})`,
    async ([call, when], context) => {
      const bench = await prepare(context);
      const failing = strace(bench, call, `error=EIO:when=${when}`);
      const lines = await runUnder(bench, [...inOneThread, ...failing]);
      expect([reopenings(lines).length, lines.at(-1)?.event]).toEqual([1, 'idle']);
      await finish(bench);
    },
  ),
);

mostlyLong(syncs, 1, (some) =>
  test.skipIf(noStrace !== undefined).for(some)(
    `fault 18: a disk whose %s fails for ever ends the agent after three times, with a clear text (${noStrace ?? 'strace'})`,
    async ([call, when], context) => {
      const bench = await prepare(context);
      const failing = strace(bench, call, `error=EIO:when=${when}+`);
      const lines = await runUnder(bench, [...inOneThread, ...failing]);
      expect(lines.at(-1)).toMatchObject({ event: 'ended', failure: { code: 'DISK_ERROR' } });
      expect(lines.at(-1)?.failure?.message).toMatch(/3 times in a row, so the agent has stopped\.$/);
      expect(lines.at(-1)?.failure?.advice).toMatch(/^Check the disk\. What was sent stays sent\./);
      await finish(bench);
    },
  ),
);

test.skipIf(noStrace !== undefined)(
  `fault 19: an fsync that takes two seconds holds up no window, and nothing fails or is lost (${noStrace ?? 'strace'})`,
  async (context) => {
    const few = { 'Gate 2/a.ts': 20_000 };
    const bench = await prepare(context, few);
    const lines = await runUnder(bench, strace(bench, 'fsync,fdatasync', 'delay_enter=2000000'));
    expect(lines.at(-1)?.event).toBe('idle');
    expect(lines.filter(({ event }) => event === 'clip.uploaded')).toHaveLength(1);
    expect(lines.filter(({ event }) => event === 'warning' || event === 'clip.failed')).toEqual([]);
    // Far from the two seconds, and still far from what a busy machine may take
    expect(lines.find(({ event }) => event === 'loop')?.longestMs).toBeLessThan(1_000);
    await finish(bench, { ...first, ...few });
  },
);
