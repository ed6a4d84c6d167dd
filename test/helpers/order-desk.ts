import { mkdir, mkdtemp, realpath, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { deskId } from '../../shared/domain/ids.ts';
import { settingsSchema } from '../../shared/domain/settings.ts';
import type { PushRequest } from '../../electron/agent/files/watched-root.ts';
import { createThumbnailJobs, createIncidentQueue } from '../../electron/agent/queue/incident-jobs.ts';
import { createIncidentCalls } from '../../electron/agent/calls/incidents.ts';
import { createMediaProbe } from '../../electron/agent/files/containers/media-probe.ts';
import { createRootGates } from '../../electron/agent/files/root-gate.ts';
import { createSystemClock } from '../../electron/agent/system-clock.ts';
import { createKeptLog, openQueue } from './queue-fixture.ts';
import { runCalls } from './run-calls.ts';

/** Modification time of every file that the desk writes, ISO 8601. */
export const WRITTEN_AT = '2026-05-01T19:40:00.000Z';

/** Calls over a real queue and real folders: `home/exports` is watched, the rest of `home` is not. */
export type OrderDesk = Awaited<ReturnType<typeof openOrderDesk>>;

export async function openOrderDesk() {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'orders-')));
  const root = join(home, 'exports');
  await mkdir(root);
  const queue = await openQueue();
  const { tables, db } = queue;
  const clock = createSystemClock();
  const gates = createRootGates(clock);
  const probe = createMediaProbe(clock, createKeptLog());
  const stopping = new AbortController();
  const pushed: PushRequest[] = [];
  let wakes = 0;
  const { watch } = settingsSchema.parse({
    baseUrl: 'https://service.example',
    watch: [{ path: root, timeZone: 'Europe/London' }],
  });
  const parts = {
    tables,
    db,
    clock,
    gates,
    probe,
    queue: createIncidentQueue(tables, clock, 'progressive'),
    deskId: deskId('6b0f2a3e-58a5-4a52-9d20-0d3a5a1f8a11'),
    dataDir: join(home, 'data'),
    roots: watch.map((settings) => ({ settings, realPath: settings.path })),
    push: (requests: readonly PushRequest[]) => void pushed.push(...requests),
    wakeQueue: () => void (wakes += 1),
    pictures: createThumbnailJobs(tables, clock, false),
    stopping: stopping.signal,
  };
  return {
    home,
    root,
    queue,
    tables,
    parts,
    pushed,
    wakes: () => wakes,
    ...runCalls(createIncidentCalls(parts)),
    signal: AbortSignal.timeout(30_000),
    /** Writes a file below `home`, always with the same modification time; returns its path. */
    async write(path: string, content: string | Uint8Array = 'content'): Promise<string> {
      const place = join(home, path);
      await mkdir(dirname(place), { recursive: true });
      await writeFile(place, content);
      await utimes(place, new Date(WRITTEN_AT), new Date(WRITTEN_AT));
      return place;
    },
    async close(): Promise<void> {
      stopping.abort();
      await probe.stop();
      gates.closeAll();
      await queue.close();
      await rm(home, { recursive: true, force: true });
    },
  };
}
