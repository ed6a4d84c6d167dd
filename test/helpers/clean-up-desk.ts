import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, realpath, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { createCleanUp } from '../../electron/agent/evidence/clean-up/clean-up.ts';
import { type AgentEvent, AgentEvents } from '../../electron/agent/events.ts';
import { createFileSum } from '../../electron/agent/files/file-sum.ts';
import { createHashPools } from '../../electron/agent/files/hashing/hash-pool.ts';
import { versionOf } from '../../electron/agent/files/opened-file.ts';
import { createRootGates } from '../../electron/agent/files/root-gate.ts';
import { smallFileThreads } from './small-file-threads.ts';
import { createServiceClock } from '../../electron/agent/service/service-clock.ts';
import type { CleanUpPolicy } from '../../electron/agent/settings/policy/policy.ts';
import type { Tables } from '../../electron/agent/store/tables.ts';
import { createSystemClock } from '../../electron/agent/system-clock.ts';
import type { Failure } from '../../shared/domain/failure.ts';
import { countClasses, type FileClass } from '../../shared/domain/file-account.ts';
import { settingsSchema, type WatchUnit } from '../../shared/domain/settings.ts';
import { err, ok } from '../../shared/lib/result.ts';
import type { WireIncident } from '../../shared/service/incident.ts';
import { clipRow, createKeptLog, incidentRow, openQueue } from './queue-fixture.ts';
import { sharedThreads } from './shared-threads.ts';

const HOUR_MS = 60 * 60_000;
/** Modification time of the files, seconds since 1970. */
export const FILE_SECONDS = 1_780_000_000;
const sumOf = (text: string): string => createHash('sha256').update(text).digest('hex');

interface Options {
  readonly policy?: Partial<CleanUpPolicy>;
  readonly siteId?: string;
  readonly unit?: WatchUnit;
  /** An existing folder and queue, as after a kill. */
  readonly home?: string;
  readonly tables?: Tables;
  readonly root?: string;
  readonly folder?: string;
}

/** The account of an export's files, as the queue stores it. */
export const accountText = (counts: Partial<Record<FileClass, number>>): string =>
  JSON.stringify({ counts: { ...countClasses([]), ...counts }, named: [] });

/** A watched folder with exports that were sent, the queue that says so, and clean-up over both. */
export async function openCleanUpDesk(options: Options = {}) {
  const home = options.home ?? (await realpath(await mkdtemp(join(tmpdir(), 'clean-up-'))));
  const root = options.root ?? join(home, 'exports');
  const folder = options.folder ?? join(home, 'sent');
  const dataDir = join(home, 'data');
  for (const path of [root, folder, dataDir]) await mkdir(path, { recursive: true });
  const queue = options.tables === undefined ? await openQueue() : undefined;
  const tables = options.tables ?? queue?.tables;
  if (tables === undefined) throw new Error('There is no queue');
  const clock = createSystemClock();
  const gates = createRootGates(clock);
  const hashPools = createHashPools(clock, sharedThreads);
  const snapshots = smallFileThreads(clock, sharedThreads);
  const events: AgentEvent[] = [];
  const service = { answer: undefined as Failure | undefined, change: (video: object): object => video };
  const rootId = incidentRow().rootId;
  const stats = lstatSync(root, { bigint: true });
  tables.roots.accept({ rootId, rootPath: root, device: String(stats.dev), inode: String(stats.ino) });
  let nowMs = Date.UTC(2026, 5, 1);
  let aheadMs = 0;
  const serviceClock = createServiceClock(
    { ...clock, now: () => nowMs + aheadMs, monotonic: () => nowMs },
    new AgentEvents(),
  );
  serviceClock.observe(new Date(nowMs).toUTCString());

  const cleanUp = createCleanUp({
    policy: { afterDays: 3, action: 'delete', folder, ...options.policy },
    settings: settingsSchema.parse({
      watch: [{ path: root, unit: options.unit }],
      siteId: options.siteId ?? '',
    }),
    dataDir,
    tables,
    clock: { sleep: async (_, signal) => signal?.throwIfAborted() },
    serviceClock,
    events: { emit: (event) => void events.push(event) },
    logger: createKeptLog(),
    trail: { note: (action, detail) => tables.audit.note(nowMs, action, detail).sequence },
    gates,
    fileSum: createFileSum({ gates, hashPools, snapshots }),
    api: {
      async get(id) {
        if (service.answer !== undefined) return err(service.answer);
        const uploaded = tables.clips
          .ofIncident(id)
          .map((clip) => service.change({ id: clip.id, storage_key: clip.storageKey }));
        return ok({ uploaded_videos: uploaded } as unknown as WireIncident);
      },
    },
  });

  const desk = {
    home,
    root,
    folder,
    tables,
    cleanUp,
    events,
    service,
    serviceClock,
    /** The warnings about exports that are kept. */
    said: () => events.flatMap((event) => (event.event === 'warning' ? [event.message] : [])),
    actions: () => tables.audit.chain().rows.map(({ action }) => action),
    pass: () => cleanUp.pass(new AbortController().signal),
    /** Sets the clock of this PC ahead by this much. */
    setAhead: (ms: number) => void (aheadMs = ms),
    now: () => nowMs,
    later: (ms: number) => void (nowMs += ms),
    /** Two passes that look, the days of the policy, and the pass that acts. */
    async passAll() {
      await desk.pass();
      nowMs += HOUR_MS;
      await desk.pass();
      nowMs += 3 * 24 * HOUR_MS;
      await desk.pass();
    },
    files: async (below = root) =>
      (await readdir(below, { recursive: true, withFileTypes: true }))
        .filter((entry) => !entry.isDirectory())
        .map((entry) => join(entry.parentPath, entry.name).slice(below.length + 1))
        .toSorted(),
    /**
     * Adds an export whose clips were sent; `besides` are files that were not; `below` is the start of its paths, empty
     * for loose files.
     */
    async add(
      name: string,
      clips: readonly string[],
      besides: Readonly<Record<string, string>> = {},
      below = name,
      id = `${sumOf(name).slice(0, 8)}-incident`,
    ) {
      for (const path of [...clips, ...Object.keys(besides)]) {
        await mkdir(dirname(join(root, below, path)), { recursive: true });
        await writeFile(join(root, below, path), besides[path] ?? `${name} ${path}`);
        await utimes(join(root, below, path), FILE_SECONDS, FILE_SECONDS);
      }
      const row = incidentRow({ id, rootId, rootPath: root, exportPath: name, title: name });
      tables.incidents.insert({ ...row, folder: below === name ? undefined : below });
      for (const path of clips) {
        const version = versionOf(lstatSync(join(root, below, path), { bigint: true }));
        const clipId = `${id} ${path}`;
        tables.clips.insert(clipRow({ id: clipId, incidentId: id, path, ...version }));
        tables.clips.uploaded(clipId, `key of ${clipId}`, sumOf(`${name} ${path}`), nowMs);
      }
      const counts = { clip: clips.length, companion: Object.keys(besides).length };
      tables.incidents.setFiles(id, accountText(counts));
      tables.incidents.synced(id, nowMs, 1, '{}');
      return id;
    },
    target: (name: string) => join(folder, `${basename(name)} ${sumOf(name).slice(0, 8)}`),
    async close() {
      await cleanUp.stop();
      gates.closeAll();
      snapshots.stop();
      await hashPools.stop();
      await queue?.close();
      if (options.home === undefined) await rm(home, { recursive: true, force: true });
    },
  };
  return desk;
}
