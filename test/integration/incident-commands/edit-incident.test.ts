import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { BENCH_TIMEOUT_MS } from '../../helpers/agent-bench.ts';
import { incidentExtras } from '../../../electron/agent/calls/clip-details.ts';
import { createIncidentRows } from '../../../electron/agent/store/incident-rows.ts';
import { DATABASE_FILE, openDb } from '../../../electron/agent/store/open-db.ts';
import type { IncidentChanges } from '../../../shared/domain/incident-edit.ts';
import { startFolderBench } from '../folders/folder-bench.ts';
import { openIncidentCalls } from './open-incident-calls.ts';

// Several agents run at the same time here, on machines that may be busy
vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

const files = { 'Gate 4/a.avi': 100_000 };
const changes: IncidentChanges = { title: 'Crowd at gate 4', latitude: 51.5, longitude: -0.1 };

// service.md gap 13
test.concurrent('an incident that was sent learns what a person changed, and nothing else', async (context) => {
  const bench = await startFolderBench(context, { files });
  await bench.untilIdle();
  const { incidentId } = await bench.ids('Gate 4/a.avi');
  const { run } = await openIncidentCalls(bench, context);
  const before = bench.simulator.putHistory(incidentId).length;
  expect(await run('incidents.edit', { incidentId, changes })).toMatchObject({ ok: true });
  await bench.until(() => bench.simulator.putHistory(incidentId).length > before, 'the PUT');
  const { updated_at, uploaded_videos, failed_videos, ...details } =
    bench.simulator.putHistory(incidentId).at(-1)?.written ?? {};
  expect(details).toEqual(changes);
  expect([typeof updated_at, uploaded_videos?.length, failed_videos]).toEqual(['string', 1, []]);
  await bench.untilIdle();
  await bench.expectWhole();
});

test.concurrent('a sidecar that comes later fills gaps and leaves the words of a person alone', async (context) => {
  const bench = await startFolderBench(context, { files });
  await bench.untilIdle();
  const { incidentId } = await bench.ids('Gate 4/a.avi');
  const { run } = await openIncidentCalls(bench, context);
  await run('incidents.edit', { incidentId, changes });
  await bench.write(
    'Gate 4/incident.json',
    JSON.stringify({ title: 'Loses', description: 'Wins', latitude: 1, longitude: 2 }),
  );
  const told = () => bench.simulator.incidents().get(incidentId);
  await bench.until(() => told()?.description === 'Wins', 'the description');
  expect(told()).toMatchObject({ ...changes, description: 'Wins' });
  await run('incidents.edit', { incidentId, changes: { description: null } });
  await bench.until(() => told()?.description === '', 'the empty description');
  await bench.untilIdle();
  await bench.expectWhole();
});

// service.md gap 31
test.concurrent('when a file was written is sent only after a person said that it happened then', async (context) => {
  const bench = await startFolderBench(context, { files });
  await bench.untilIdle();
  const { incidentId } = await bench.ids('Gate 4/a.avi');
  const { run } = await openIncidentCalls(bench, context);
  const told = () => bench.simulator.incidents().get(incidentId);
  const written = bench.simulator.putHistory(incidentId).map((put) => put.written);
  expect(written.filter((record) => 'incident_at' in record)).toEqual([]);
  expect(told()?.uploaded_videos[0]).not.toHaveProperty('started_at');
  expect(told()?.description).toMatch(/^Recording time not known; file last written \d{4}-\d{2}-\d{2} /);
  const shown = () => {
    const opened = openDb(join(bench.dataDir, DATABASE_FILE));
    if (!opened.ok) throw new Error(opened.error.message);
    const row = createIncidentRows(opened.value).byId(incidentId);
    opened.value.close();
    if (row === undefined) throw new Error('The incident is not there');
    return incidentExtras(row).guessedAt;
  };
  const guess = shown();
  expect(guess?.note).toContain('last write time');
  await run('incidents.edit', { incidentId, changes: { incidentAt: guess?.at ?? '' } });
  await bench.until(() => told()?.incident_at === guess?.at, 'the time');
  expect(told()?.description).toBe('');
  expect(shown()).toBeUndefined();
  await bench.untilIdle();
  await bench.expectWhole();
});

test.concurrent('what a person says while the clips are on their way is told with them', async (context) => {
  const bench = await startFolderBench(context, { files, hold: { call: 'putObject' } });
  await bench.hold.arrived;
  const { incidentId } = await bench.ids('Gate 4/a.avi');
  const { run } = await openIncidentCalls(bench, context);
  await run('incidents.edit', { incidentId, changes });
  bench.hold.release();
  await bench.untilIdle();
  await bench.expectWhole();
  expect(bench.simulator.incidents().get(incidentId)).toMatchObject(changes);
});

// service.md gap 11: the incident of a lost queue is known to the service already
test.concurrent('what a person says before the service was asked about the incident is not lost', async (context) => {
  const bench = await startFolderBench(context, { files });
  await bench.untilIdle();
  const { incidentId } = await bench.ids('Gate 4/a.avi');
  await bench.stopAgent();
  for (const suffix of ['', '-wal', '-shm'])
    await rm(join(bench.dataDir, `${DATABASE_FILE}${suffix}`), { force: true });
  await bench.simulator.goOffline('service');
  await bench.startAgent();
  const { run, tables } = await openIncidentCalls(bench, context);
  await bench.until(() => tables.incidents.byId(incidentId) !== undefined, 'the incident, found again');
  await run('incidents.edit', { incidentId, changes });
  await bench.simulator.goOnline('service');
  await bench.until(
    () => (bench.skip(500), bench.simulator.incidents().get(incidentId)?.title === changes.title),
    'the title',
  );
  await bench.untilIdle();
  await bench.expectWhole();
  expect(bench.simulator.incidents().get(incidentId)).toMatchObject(changes);
});
