import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { BENCH_TIMEOUT_MS } from '../../helpers/agent-bench.ts';
import { sharedThreads } from '../../helpers/shared-threads.ts';
import { createAgent } from '../../../electron/agent/index.ts';
import { settingsSchema } from '../../../shared/domain/settings.ts';
import type { AgentEvent } from '../../../electron/agent/index.ts';
import { writeSpec } from '../../helpers/bench-files.ts';
import { startFolderBench, type FolderBench } from './folder-bench.ts';

// Several agents run at the same time here, on machines that may be busy
vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

/** A second agent over the data of the stopped bench agent: the one of `push`, which watches nothing. */
async function openPusher(
  bench: FolderBench,
  context: { onTestFinished: (end: () => Promise<void>) => void },
) {
  await bench.stopAgent();
  const silent = (): void => undefined;
  const events: AgentEvent[] = [];
  const agent = createAgent(
    {
      settings: settingsSchema.parse({
        baseUrl: bench.simulator.baseUrl,
        watch: [{ path: bench.root, settleSeconds: 0.1, timeZone: 'Europe/London' }],
      }),
      dataDir: bench.dataDir,
      watchFolders: false,
      version: '0.0.0',
    },
    {
      clock: bench.clock,
      logger: { debug: silent, info: silent, warn: silent, error: silent },
      secrets: { apiKey: async () => bench.simulator.apiKey },
      threads: sharedThreads,
    },
  );
  agent.events.on((event) => void events.push(event));
  let isStopped = false;
  const stop = async (): Promise<void> => {
    if (isStopped) return;
    isStopped = true;
    await agent.stop();
  };
  context.onTestFinished(stop);
  await agent.start();
  const settle = async (): Promise<void> => {
    while ((await agent.untilIdle(AbortSignal.timeout(60_000))) !== undefined) await bench.clock.sleep(50);
  };
  return { push: agent.push, settle, stop, events };
}

const details = {
  title: 'Pitch invasion',
  description: 'Two persons over the barrier',
  incidentAt: '2026-05-01T18:30:05.000Z',
};

// A pushed folder outside any root settles for the default 30 s. The clock runs four times as fast; if it ran faster,
// the pauses between looks would count as gaps.
test('a folder outside any watched root is sent once, with the details that were given', async (context) => {
  const bench = await startFolderBench(context);
  const pusher = await openPusher(bench, context);
  const folder = join(bench.home, 'elsewhere', 'Gate 4');
  await writeSpec(join(bench.home, 'staging'), join(folder, 'Gate 4_2026_05_01_19_30_05.avi'), 3_000);
  await writeSpec(
    join(bench.home, 'staging'),
    join(folder, 'incident.json'),
    '{"title": "Loses", "latitude": 51.5, "longitude": 0}',
  );
  pusher.push([{ folder, ...details }]);
  const moving = setInterval(() => bench.clock.skip(600), 200);
  context.onTestFinished(() => clearInterval(moving));
  await pusher.settle();
  const incidents = [...bench.simulator.incidents().values()];
  expect(incidents).toMatchObject([
    {
      title: details.title,
      description: details.description,
      incident_at: details.incidentAt,
      latitude: 51.5,
      uploaded_videos: [{ camera_name: 'Gate 4' }],
    },
  ]);
  const before = bench.simulator.requests.of('putObject').length;
  pusher.push([{ folder, ...details }]);
  await pusher.settle();
  expect(bench.simulator.requests.of('putObject')).toHaveLength(before);
  expect(bench.simulator.incidents().size).toBe(1);
});

test('a folder inside a watched root keeps its id, whether it was watched before or is watched later', async (context) => {
  const bench = await startFolderBench(context, { files: { 'Seen/a_2026_05_01_19_30_05.avi': 300 } });
  await bench.untilIdle();
  const pusher = await openPusher(bench, context);
  await bench.write('New/b_2026_05_01_19_30_05.avi', 400);
  pusher.push(['Seen', 'New'].map((name) => ({ folder: join(bench.root, name), ...details })));
  await pusher.settle();
  await pusher.stop();
  await bench.startAgent();
  await bench.untilIdle();
  await bench.expectWhole({ 'Seen/a_2026_05_01_19_30_05.avi': 0, 'New/b_2026_05_01_19_30_05.avi': 0 });
  // watching the folder does not undo the details given on the command line
  const { incidentId } = await bench.ids('New/x');
  expect(bench.simulator.incidents().get(incidentId)).toMatchObject({
    title: details.title,
    description: details.description,
    incident_at: details.incidentAt,
    uploaded_videos: [{ started_at: '2026-05-01T18:30:05.000Z' }],
  });
  expect(bench.simulator.incidents().size).toBe(2);
});

test.concurrent('details that are pushed for an export that was sent already change its record', async (context) => {
  const bench = await startFolderBench(context, { files: { 'Seen/a.avi': 300 } });
  await bench.untilIdle();
  const pusher = await openPusher(bench, context);
  pusher.push([{ folder: join(bench.root, 'Seen'), ...details }]);
  await pusher.settle();
  const { incidentId } = await bench.ids('Seen/a.avi');
  expect(bench.simulator.incidents().get(incidentId)?.title).toBe(details.title);
});

test('a pushed folder that is not there is said so', async (context) => {
  const bench = await startFolderBench(context);
  const pusher = await openPusher(bench, context);
  pusher.push([{ folder: join(bench.root, 'No such folder') }]);
  await bench.until(() => pusher.events.some(({ event }) => event === 'root.offline'), 'the word about it');
  expect(pusher.events).toMatchObject([
    { event: 'root.offline', code: 'ROOT_MISSING', message: expect.stringContaining('No such folder') },
  ]);
});
