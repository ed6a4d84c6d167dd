import { join } from 'node:path';
import type { TestContext } from 'vitest';
import type { PushRequest } from '../../../electron/agent/index.ts';
import { DATABASE_FILE, openDb } from '../../../electron/agent/store/open-db.ts';
import { createTables } from '../../../electron/agent/store/tables.ts';
import { createIncidentQueue } from '../../../electron/agent/queue/incident-jobs.ts';
import { loadDeskId } from '../../../electron/agent/store/desk-id.ts';
import { createIncidentCalls } from '../../../electron/agent/calls/incidents.ts';
import { createMediaProbe } from '../../../electron/agent/files/containers/media-probe.ts';
import { createRootGates } from '../../../electron/agent/files/root-gate.ts';
import { settingsSchema } from '../../../shared/domain/settings.ts';
import { createKeptLog } from '../../helpers/queue-fixture.ts';
import { runCalls } from '../../helpers/run-calls.ts';
import type { FolderBench } from '../folders/folder-bench.ts';

/** Zone in which clip names are read. */
export const ZONE = 'Europe/London';

/**
 * A person's calls about incidents, on the queue that the bench's agent works on. The agent notices within a second.
 */
export async function openIncidentCalls(
  bench: Pick<FolderBench, 'dataDir' | 'root' | 'clock'>,
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
  push: (requests: readonly PushRequest[]) => void = () => undefined,
) {
  const opened = openDb(join(bench.dataDir, DATABASE_FILE));
  if (!opened.ok) throw new Error(opened.error.message);
  const db = opened.value;
  const { clock, dataDir, root } = bench;
  const tables = createTables(db);
  const gates = createRootGates(clock);
  const probe = createMediaProbe(clock, createKeptLog());
  const stopping = new AbortController();
  onTestFinished(() => {
    stopping.abort();
    gates.closeAll();
    db.close();
  });
  const { watch } = settingsSchema.parse({
    baseUrl: 'https://service.example',
    watch: [{ path: root, timeZone: ZONE }],
  });
  const calls = createIncidentCalls({
    tables,
    db,
    queue: createIncidentQueue(tables, clock, 'progressive'),
    clock,
    gates,
    probe,
    deskId: await loadDeskId(dataDir),
    dataDir,
    roots: watch.map((settings) => ({ settings, realPath: settings.path })),
    push,
    wakeQueue: () => undefined,
    stopping: stopping.signal,
  });
  const { run } = runCalls(calls);
  return { run, tables };
}
