import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { BENCH_TIMEOUT_MS } from '../../helpers/agent-bench.ts';
import { sharedThreads } from '../../helpers/shared-threads.ts';
import { createAgent } from '../../../electron/agent/index.ts';
import { settingsSchema } from '../../../shared/domain/settings.ts';
import { startFolderBench, type FolderBench } from '../folders/folder-bench.ts';
import { openIncidentCalls, ZONE } from './open-incident-calls.ts';

// Several agents run at the same time here, on machines that may be busy
vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

/** An agent that accepts pushes and watches nothing, instead of the bench's own. */
async function startPusher(
  bench: FolderBench,
  context: { onTestFinished: (end: () => Promise<void>) => void },
) {
  await bench.stopAgent();
  const silent = (): void => undefined;
  const settings = settingsSchema.parse({
    baseUrl: bench.simulator.baseUrl,
    watch: [{ path: bench.root, settleSeconds: 0.1, timeZone: ZONE }],
  });
  const agent = createAgent(
    { settings, dataDir: bench.dataDir, watchFolders: false, version: '0.0.0' },
    {
      clock: bench.clock,
      logger: { debug: silent, info: silent, warn: silent, error: silent },
      secrets: { apiKey: async () => bench.simulator.apiKey },
      threads: sharedThreads,
    },
  );
  context.onTestFinished(() => agent.stop());
  await agent.start();
  return agent;
}

test('a folder becomes what its preview said', async (context) => {
  const bench = await startFolderBench(context);
  const agent = await startPusher(bench, context);
  const { run } = await openIncidentCalls(bench, context, (requests) => agent.push(requests));
  const folder = join(bench.root, 'Fight at gate 4');
  const clip = 'Gate 4 North_2026_05_01_19_30_05.avi';
  await bench.write(`Fight at gate 4/${clip}`, 3_000);
  await bench.write('Fight at gate 4/Gate 5_2026_05_01_19_31_00.avi', 4_000);
  await bench.write('Fight at gate 4/player.exe', 100);
  await bench.write('Fight at gate 4/incident.json', '{"latitude": 51.5, "longitude": -0.1}');
  await symlink('/etc/passwd', join(folder, 'linked.mp4'));
  await mkdir(join(folder, 'empty'));

  const before = await run('exports.preview', { folder });
  if (!before.ok) throw new Error(before.error.message);
  const shown = before.value;
  expect(shown.clips).toHaveLength(2);
  expect(bench.simulator.requests.of('putIncident')).toEqual([]);

  const description = 'Two men over the barrier';
  expect(await run('exports.push', { folders: [folder], description })).toEqual({
    ok: true,
    value: { folders: [folder] },
  });
  expect(await agent.untilIdle(AbortSignal.timeout(50_000))).toBeUndefined();
  const [incident, ...others] = [...bench.simulator.incidents().values()];
  expect(others).toEqual([]);
  expect(incident).toMatchObject({
    title: shown.title,
    description,
    incident_at: shown.incidentAt,
    latitude: shown.latitude,
    longitude: shown.longitude,
    failed_videos: [],
  });
  const byCamera = (one: object, other: object) => JSON.stringify(one).localeCompare(JSON.stringify(other));
  expect(
    incident?.uploaded_videos
      .map(({ camera_name, started_at }) => ({ cameraName: camera_name, startedAt: started_at }))
      .toSorted(byCamera),
  ).toEqual(shown.clips.map(({ cameraName, startedAt }) => ({ cameraName, startedAt })).toSorted(byCamera));
  const objects = await bench.simulator.objects();
  expect(objects.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)).toBe(shown.totalBytes);

  expect(await run('exports.preview', { folder })).toMatchObject({
    value: { knownAs: { incidentId: incident?.id, title: shown.title } },
  });
});
