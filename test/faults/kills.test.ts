import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, type TestContext } from 'vitest';
import { DATABASE_FILE } from '../../electron/agent/store/open-db.ts';
import { startBench, type Bench } from '../helpers/agent-bench.ts';
import { noStrace, runUnder, startUnder, strace } from '../helpers/agent-under.ts';

const KILLS = process.env['FAULT_KILLS'] ?? '30';
const files = { 'Ramp/a.avi': 30_000, 'Ramp/b.ts': 6_000_000 };

/** A desk without an agent, for agents in processes that are killed. */
async function openDesk(context: TestContext): Promise<Bench> {
  const bench = await startBench(context, { files });
  await bench.untilIdle();
  await bench.stopAgent();
  return bench;
}

/** Adds work for one life: a clip in one piece and one in two parts. */
async function bringWork(bench: Bench, sent: Record<string, number>): Promise<void> {
  const number = Object.keys(sent).length;
  for (const [name, bytes] of [
    ['a.avi', 20_000],
    ['b.ts', 6_000_000],
  ] as const) {
    sent[`Gate ${number}/${name}`] = bytes + number;
    await bench.write(`Gate ${number}/${name}`, bytes + number);
  }
}

/** Lets an agent without faults send the rest, and expects everything to be there once. */
async function finish(bench: Bench, sent: Record<string, number>, kills: number): Promise<void> {
  await bench.startAgent();
  await bench.untilIdle(300_000);
  expect(bench.of('clip.failed')).toEqual([]);
  await bench.expectWhole({ files: { ...files, ...sent }, kills, mayLogErrors: true });
}

test(`fault 1: ${KILLS} kills at random and named moments lose, double and report nothing early`, async () => {
  const child = spawn(process.execPath, ['test/torture/torture.ts', '--kills', KILLS], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (chunk) => (text += String(chunk)));
  const [code] = await once(child, 'close');
  expect(code, text).toBe(0);
});

test.skipIf(noStrace !== undefined)(
  `fault 2: kills at the Nth write and sync of the queue lose nothing that was reported (${noStrace ?? 'strace'})`,
  async (context) => {
    const bench = await openDesk(context);
    const sent: Record<string, number> = {};
    const points = ['pwrite64', 'fsync,fdatasync'].flatMap((calls) =>
      [1, 4, 9, 17, 30].map((when) => ({ calls, when })),
    );
    const said = new Set<string>();
    let killed = 0;
    for (const { calls, when } of points) {
      await bringWork(bench, sent);
      const lines = await runUnder(bench, strace(bench, calls, `signal=KILL:when=${when}`), true);
      if (lines.at(-1)?.event !== 'idle') killed += 1;
      for (const line of lines) if (line.event === 'clip.uploaded') said.add(JSON.stringify(line));
    }
    // The last kills may come after the work
    expect(killed).toBeGreaterThanOrEqual(points.length / 2);
    await finish(bench, sent, points.length);
    // A clip that was reported as uploaded is not reported again
    const again = bench.of('clip.uploaded').map(({ clipId }) => clipId);
    for (const line of said) expect(again).not.toContain(JSON.parse(line).clipId);
  },
);

test('fault 3: a kill after the other side did its part is made good, at each call', async (context) => {
  const bench = await openDesk(context);
  const sent: Record<string, number> = {};
  const calls = [
    'getIncident',
    'getUploadUrls',
    'createMultipartUpload',
    'putPart',
    'completeMultipartUpload',
    'putObject',
    'putIncident',
  ] as const;
  for (const call of calls) {
    await bringWork(bench, sent);
    const hold = bench.simulator.faults.hold({ call }, 'after');
    const { child, ended } = startUnder(bench, [], true);
    await hold.arrived;
    child.kill('SIGKILL');
    await ended;
    hold.release();
  }
  await finish(bench, sent, calls.length);
});

test.skipIf(noStrace !== undefined)(
  `fault 5: kills while a damaged queue is set aside and rebuilt leave a desk that finds everything again (${noStrace ?? 'strace'})`,
  async (context) => {
    const bench = await openDesk(context);
    const sent: Record<string, number> = {};
    const points = [
      ['rename,renameat,renameat2', 1],
      ['rename,renameat,renameat2', 2],
      ['unlink,unlinkat', 1],
      ['fsync,fdatasync', 3],
    ] as const;
    for (const [calls, when] of points) {
      await truncate(join(bench.dataDir, DATABASE_FILE), 5_000);
      await runUnder(bench, strace(bench, calls, `signal=KILL:when=${when}`, ''), true);
    }
    await bringWork(bench, sent);
    await finish(bench, sent, points.length);
    // Objects in storage were found there, and not sent again
    expect(bench.simulator.requests.of('putObject').length).toBeLessThanOrEqual(2 + points.length);
  },
);
