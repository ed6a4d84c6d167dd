import { readdir, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test, vi } from 'vitest';
import { BENCH_TIMEOUT_MS, type Bench, startBench } from '../../helpers/agent-bench.ts';
import { long } from '../../helpers/long.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

const files = {
  'Gate 4/a.avi': 100_000,
  'Gate 4/a.jpg': { fixture: 'gate-4-north.jpg' },
  'Gate 4/b.mp4': { fixture: 'gate-4-north.mp4' },
  'Ramp/c.ts': 6_000_000,
};

async function loseDatabase({ dataDir }: Bench): Promise<void> {
  const names = (await readdir(dataDir)).filter((name) => name.startsWith('queue.db'));
  expect(names).toContain('queue.db');
  for (const name of names) await rm(join(dataDir, name));
}

const bytesSent = ({ simulator }: Bench) => [
  ...simulator.requests.of('putObject'),
  ...simulator.requests.of('putPart'),
  ...simulator.requests.of('createMultipartUpload'),
];

// service.md gap 11
test.concurrent('a lost database finds the same incidents again, and nothing is sent twice', async (context) => {
  const bench = await startBench(context, { files });
  await bench.untilIdle();
  await bench.expectWhole();
  const before = { sent: bytesSent(bench).length, gets: bench.simulator.requests.of('getIncident').length };
  const videos = () =>
    [...bench.simulator.incidents().values()].map(({ uploaded_videos: uploaded }) => uploaded);
  const listed = structuredClone(videos());
  await bench.stopAgent();
  await loseDatabase(bench);
  await bench.startAgent();
  await bench.untilIdle();
  await bench.expectWhole();
  expect(bytesSent(bench)).toHaveLength(before.sent);
  expect(bench.simulator.requests.of('getIncident')).toHaveLength(before.gets + 4);
  expect(videos()).toEqual(listed);
  expect(bench.simulator.incidents().size).toBe(2);
});

// service.md gap 12: the queue has no SHA-256 of clips that only the service knows
test.concurrent(
  'a clip that was found at the service again is not sent when it is touched later',
  long(),
  async (context) => {
    const clips = { 'Gate 4/a.avi': 100_000, 'Ramp/c.ts': 6_000_000 };
    const bench = await startBench(context, { files: clips });
    await bench.untilIdle();
    await bench.stopAgent();
    await loseDatabase(bench);
    await bench.startAgent();
    await bench.untilIdle();
    const sent = bytesSent(bench).length;
    const queue = new Database(join(bench.dataDir, 'queue.db'), { readonly: true });
    context.onTestFinished(() => void queue.close());
    const unread = queue.prepare('SELECT count(*) FROM sent_files WHERE sha256 IS NULL').pluck();
    await bench.until(() => unread.get() === 0, 'what the files are');
    const followed = queue.prepare("SELECT count(*) FROM history WHERE kind = 'followed'").pluck();
    for (const path of Object.keys(clips)) await utimes(join(bench.root, path), 1_700_000_000, 1_700_000_000);
    await bench.until(() => followed.get() === 2, 'the touched files');
    await bench.untilIdle();
    expect(bytesSent(bench)).toHaveLength(sent);
    await bench.expectWhole();
  },
);

// service.md gap 11
test.concurrent('after a lost database only what the service does not list is sent', async (context) => {
  const bench = await startBench(context, {
    files,
    settings: { upload: { concurrentParts: 1 } },
    hold: { call: 'putPart', partNumber: 2 },
  });
  await bench.hold.arrived;
  const { incidentId } = await bench.ids('Gate 4/a.avi');
  await bench.until(
    () => (bench.skip(100), bench.simulator.incidents().get(incidentId)?.uploaded_videos.length === 2),
    'the first incident',
  );
  await bench.stopAgent();
  bench.hold.release();
  const puts = bench.simulator.requests.of('putObject').length;
  await loseDatabase(bench);
  await bench.startAgent();
  await bench.untilIdle();
  // An upload that only the lost database knew cannot be aborted, because nobody knows its ID
  await bench.expectWhole({ files, kills: 1, forgottenUploads: 1 });
  expect(bench.simulator.requests.of('putObject')).toHaveLength(puts);
});
