import { randomUUID } from 'node:crypto';
import { mkdir, rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { FailureError } from '../../shared/domain/failure-error.ts';
import type { Failure } from '../../shared/domain/failure.ts';
import type { DeskId } from '../../shared/domain/ids.ts';
import { settingsSchema, type WatchSettings } from '../../shared/domain/settings.ts';
import type { Agent, AgentConfig, Progress, PushRequest } from './agent.ts';
import { DATABASE_FILE } from './db/database-file.ts';
import { takeInstanceLock, type InstanceLock } from './db/instance-lock.ts';
import { openDb, type WriteDb } from './db/open-db.ts';
import { createTables, type Tables } from './db/tables.ts';
import { AgentEvents } from './events.ts';
import { hopeless } from './idle-check.ts';
import { createIncidentQueue } from './incidents/incident-queue.ts';
import { loadDeskId, rootIdOf } from './intake/identity.ts';
import { createIntake, type Intake } from './intake/intake.ts';
import type { IntakeRules } from './intake/intake-rules.ts';
import { createMediaProbe } from './media/media-probe.ts';
import type { Clock, Ports } from './ports.ts';
import type { RootGates } from './upload/source-file.ts';
import { createUploading } from './uploading.ts';
import { createClipCheck } from './watch/check-clip.ts';
import { inspectRoots } from './watch/inspect-roots.ts';
import { createRootGate, type RootGate } from './watch/root-gate.ts';
import { createFolderWatcher, createRootWatcher } from './watch/watch-root.ts';
import type { Watcher } from './watch/watch-types.ts';

/** How often a run that is to end looks whether it may, milliseconds. */
const IDLE_LOOK_MS = 100;
/** Totals are counted anew at most this often, milliseconds: with 100,000 rows a count takes some. */
const TOTALS_AGE_MS = 500;

/** Everything that runs, built in one visible order and stopped in reverse. */
interface Running {
  readonly lock: InstanceLock;
  readonly db: WriteDb;
  readonly tables: Tables;
  readonly intake: Intake;
  readonly probe: ReturnType<typeof createMediaProbe>;
  readonly uploading: ReturnType<typeof createUploading>;
  readonly watchers: Watcher[];
  readonly gates: GateBook;
  readonly deskId: DeskId;
  readonly stopping: AbortController;
}

interface GateBook extends RootGates {
  closeAll(): void;
}

/** Makes an agent; nothing is opened before `start`. */
export function createAgent(config: AgentConfig, ports: Ports): Agent {
  const events = new AgentEvents();
  let running: Running | undefined;
  let totals: { readonly atMs: number; readonly progress: Progress } | undefined;

  function current(): Running {
    if (running === undefined) throw new Error('The agent was not started');
    return running;
  }

  return {
    events,
    async start() {
      running = await startAll(config, ports, events);
    },
    async stop() {
      const ending = running;
      running = undefined;
      if (ending !== undefined) await stopAll(ending);
    },
    progress() {
      const now = ports.clock.monotonic();
      if (running !== undefined && (totals === undefined || now - totals.atMs > TOTALS_AGE_MS)) {
        totals = { atMs: now, progress: countProgress(running) };
      }
      const base = totals?.progress ?? nothing;
      return running === undefined ? base : { ...base, bytesInFlight: running.uploading.meter.inFlightBytes() };
    },
    push(requests) {
      for (const request of requests) pushFolder(config, ports, events, current(), request);
    },
    untilIdle: (signal) => untilIdle(ports.clock, events, current, signal),
  };
}

const nothing: Progress = {
  incidents: 0,
  clips: 0,
  clipsUploaded: 0,
  clipsFailed: 0,
  bytesTotal: 0,
  bytesUploaded: 0,
  bytesInFlight: 0,
  settling: 0,
  pausedBecause: undefined,
};

async function startAll(config: AgentConfig, ports: Ports, events: AgentEvents): Promise<Running> {
  const { settings, dataDir } = config;
  const { clock, logger } = ports;
  await mkdir(dataDir, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw new FailureError(dataDirFailure(dataDir, error), { cause: error });
  });
  const lock = takeInstanceLock(dataDir, clock.now());
  if (!lock.ok) throw new FailureError(lock.error);
  try {
    const roots = await inspectRoots(settings.watch.map(({ path }) => path), dataDir);
    for (const root of roots) if (!root.ok) throw new FailureError(root.error);
    const deskId = await loadDeskId(dataDir);
    const db = await openOrRebuild(dataDir, clock, events);
    const tables = createTables(db);
    const queue = createIncidentQueue(tables, clock, settings.incident.publish);
    const gates = createGateBook(clock);
    const probe = createMediaProbe(clock, logger);
    const uploading = createUploading({
      config,
      ports,
      tables,
      queue,
      gates,
      events,
      leaseName: randomUUID(),
    });
    const intake = createIntake({
      tables,
      queue,
      clock,
      logger,
      events,
      deskId,
      gates,
      probe,
      multipartThresholdBytes: settings.upload.multipartThresholdBytes,
      wake: () => uploading.runner.wake(),
    });
    const stopping = new AbortController();
    const built = { lock: lock.value, db, tables, intake, probe, uploading, watchers: [], gates, deskId, stopping };
    uploading.runner.start();
    for (const watch of settings.watch) watchRoot(ports, events, built, watch);
    return built;
  } catch (error) {
    lock.value.release();
    throw error;
  }
}

async function stopAll(running: Running): Promise<void> {
  running.stopping.abort(new Error('The agent is stopping'));
  await Promise.all(running.watchers.map((watcher) => watcher.stop()));
  await running.uploading.stop();
  await running.probe.stop();
  running.gates.closeAll();
  running.db.close();
  running.lock.release();
}

/** A damaged database is set aside, never deleted; the folders and the service tell the queue anew. */
async function openOrRebuild(dataDir: string, clock: Clock, events: AgentEvents): Promise<WriteDb> {
  const file = join(dataDir, DATABASE_FILE);
  const opened = openDb(file);
  if (opened.ok) return opened.value;
  if (opened.error.code !== 'DB_BROKEN') throw new FailureError(opened.error);
  const stamp = new Date(clock.now()).toISOString().replaceAll(/[:.]/g, '-');
  for (const suffix of ['', '-wal', '-shm']) {
    await rename(file + suffix, `${file}.broken-${stamp}${suffix}`).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw new FailureError(dataDirFailure(dataDir, error), { cause: error });
    });
  }
  const message = `${opened.error.message} It was set aside as ${basename(file)}.broken-${stamp}; the queue is rebuilt from the folders and the service.`;
  events.emit({ event: 'warning', code: 'DB_BROKEN', message });
  const fresh = openDb(file);
  if (!fresh.ok) throw new FailureError(fresh.error);
  return fresh.value;
}

function createGateBook(clock: Clock): GateBook {
  const gates = new Map<string, RootGate>();
  return {
    of(rootPath) {
      const gate = gates.get(rootPath) ?? createRootGate({ clock, rootPath });
      gates.set(rootPath, gate);
      return gate;
    },
    closeAll() {
      for (const gate of gates.values()) gate.close();
    },
  };
}

const systemZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

function rulesOf(watch: WatchSettings): IntakeRules {
  const { profile, clockOffsetSeconds, timeZone } = watch;
  return { watch: { profile, clockOffsetSeconds, timeZone: timeZone ?? systemZone() } };
}

/** What every watcher of this agent shares. */
function watcherParts(ports: Ports, events: AgentEvents, running: Running, rootPath: string, rules: IntakeRules) {
  const gate = running.gates.of(rootPath);
  const { clock, logger } = ports;
  return {
    clock,
    logger,
    events,
    gate,
    isComplete: createClipCheck(gate, rootPath),
    onExport: (snapshot: Parameters<Intake['take']>[0]) =>
      running.intake.take(snapshot, rules, running.stopping.signal),
    known: (ref: Parameters<Intake['take']>[0]['ref']) =>
      new Map(running.tables.clips.ofExport(ref.rootId, ref.exportPath).map((row) => [row.path, row])),
  };
}

function watchRoot(ports: Ports, events: AgentEvents, running: Running, settings: WatchSettings): void {
  const id = rootIdOf(running.deskId, settings.path);
  const common = watcherParts(ports, events, running, settings.path, rulesOf(settings));
  const watcher = createRootWatcher({ ...common, root: { id, path: settings.path, settings } });
  running.watchers.push(watcher);
  watcher.start();
}

function pushFolder(
  config: AgentConfig,
  ports: Ports,
  events: AgentEvents,
  running: Running,
  request: PushRequest,
): void {
  const rootPath = dirname(request.folder);
  const watched = config.settings.watch.find((watch) => watch.path === rootPath);
  const settings = watched ?? defaultWatch(rootPath);
  const overrides = {
    ...(request.title === undefined ? {} : { title: request.title }),
    ...(request.description === undefined ? {} : { description: request.description }),
    ...(request.incidentAt === undefined ? {} : { incidentAtMs: Date.parse(request.incidentAt) }),
  };
  const common = watcherParts(ports, events, running, rootPath, { ...rulesOf(settings), overrides });
  const rootId = rootIdOf(running.deskId, rootPath);
  const watcher = createFolderWatcher({ ...common, folder: { rootId, path: request.folder, settings } });
  running.watchers.push(watcher);
  watcher.start();
}

function defaultWatch(path: string): WatchSettings {
  const [watch] = settingsSchema.parse({ baseUrl: 'https://unused.invalid', watch: [{ path }] }).watch;
  if (watch === undefined) throw new Error('A watch was given and not read');
  return watch;
}

function countProgress(running: Running): Progress {
  const rows = running.tables.clips.totals();
  const of = (...states: readonly string[]) => rows.filter((row) => states.includes(row.state));
  const sum = (states: readonly string[], field: 'clips' | 'bytes') =>
    of(...states).reduce((total, row) => total + row[field], 0);
  return {
    incidents: running.tables.incidents.count(),
    clips: sum(['queued', 'uploaded', 'failed'], 'clips'),
    clipsUploaded: sum(['uploaded'], 'clips'),
    clipsFailed: sum(['failed'], 'clips'),
    bytesTotal: sum(['queued', 'uploaded'], 'bytes'),
    bytesUploaded: sum(['uploaded'], 'bytes'),
    bytesInFlight: running.uploading.meter.inFlightBytes(),
    settling: running.watchers.reduce((total, watcher) => total + watcher.state().settling, 0),
    pausedBecause: running.uploading.lanes.pauses()[0]?.failure,
  };
}

async function untilIdle(
  clock: Clock,
  events: AgentEvents,
  current: () => Running,
  signal: AbortSignal | undefined,
): Promise<Failure | undefined> {
  let rootTrouble: Failure | undefined;
  const unsubscribe = events.on((event) => {
    if (event.event !== 'root.offline') return;
    const { code, message } = event;
    rootTrouble = { code, message, advice: 'Check the path in the configuration.', retryable: true };
  });
  try {
    for (;;) {
      const { uploading, watchers, tables } = current();
      const trouble = hopeless(uploading.lanes.pauses());
      if (trouble !== undefined) return trouble;
      const isOffline = watchers.some((watcher) => !watcher.state().online);
      if (isOffline && rootTrouble !== undefined) return rootTrouble;
      const isQuiet = watchers.every((watcher) => watcher.state().idle);
      if (isQuiet && uploading.runner.active() === 0 && tables.jobs.countOpen() === 0) return undefined;
      await clock.sleep(IDLE_LOOK_MS, signal);
    }
  } finally {
    unsubscribe();
  }
}

function dataDirFailure(dataDir: string, error: unknown): Failure {
  const detail = error instanceof Error ? error.message : String(error);
  return {
    code: 'DATA_FOLDER',
    message: `The data directory ${dataDir} cannot be used: ${detail}.`,
    advice: 'Check that it is a folder on a local disk which this account may write.',
    retryable: false,
    detail,
  };
}
