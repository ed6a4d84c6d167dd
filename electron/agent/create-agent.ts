import { randomUUID } from 'node:crypto';
import { FailureError } from '../../shared/domain/failure-error.ts';
import type { Settings } from '../../shared/domain/settings.ts';
import { err } from '../../shared/lib/result.ts';
import { connectService } from './service/connect-service.ts';
import type { Agent, AgentConfig, Progress } from './agent.ts';
import { takeInstanceLock } from './store/instance-lock.ts';
import { createTables } from './store/tables.ts';
import { AgentEvents } from './events.ts';
import { untilIdle } from './idle-check.ts';
import { createIncidentQueue } from './queue/incident-jobs.ts';
import { loadDeskId } from './intake/identity.ts';
import { createIntake } from './intake/intake.ts';
import { createMediaProbe } from './files/containers/media-probe.ts';
import { makeDataDir, openOrRebuild } from './open-queue.ts';
import type { Ports } from './ports.ts';
import { noteChanges } from './calls/note-changes.ts';
import { notRunning } from './calls/refuse-call.ts';
import { createSignals, type SignalSource } from './calls/signals.ts';
import { createServing } from './serving.ts';
import { countProgress, noProgress } from './progress.ts';
import { createGateBook, type Running, type WatchedRoot } from './running.ts';
import { createPictureQueue } from './queue/thumbnail-jobs.ts';
import { createUploading } from './uploading.ts';
import { locateClip } from './calls/locate-clip.ts';
import { createWakeUp } from './wake-up.ts';
import { inspectRoots } from './files/inspect-roots.ts';
import { pushFolder, watchRoot } from './watching.ts';

/** Totals are counted anew at most this often, milliseconds: with 100,000 rows a count takes some. */
const TOTALS_AGE_MS = 500;

/** Makes an agent; nothing is opened before `start`. */
export function createAgent(firstConfig: AgentConfig, ports: Ports): Agent {
  const events = new AgentEvents();
  let config = firstConfig;
  let running: Running | undefined;
  /** The start that is under way, for a stop to wait for. */
  let restart: Promise<void> = Promise.resolve();
  let totals: { readonly atMs: number; readonly progress: Progress } | undefined;

  function current(): Running {
    if (running === undefined) throw new Error('The agent was not started');
    return running;
  }

  function progress(): Progress {
    const now = ports.clock.monotonic();
    if (running !== undefined && (totals === undefined || now - totals.atMs > TOTALS_AGE_MS)) {
      totals = { atMs: now, progress: countProgress(running) };
    }
    const base = totals?.progress ?? noProgress;
    return running === undefined ? base : { ...base, bytesInFlight: running.uploading.meter.inFlightBytes() };
  }

  const signals = createSignals({
    clock: ports.clock,
    logger: ports.logger,
    events,
    transfer: {
      sentBytes: () => running?.uploading.meter.totalSentBytes() ?? 0,
      read: () => running && readTransfer(running, progress()),
    },
  });
  // With the old totals its bytes, which are in flight no more, or the new clips would be missing for a moment
  events.on(({ event }) => {
    if (event === 'clip.uploaded' || event === 'incident.found') totals = undefined;
  });

  function applySettings(settings: Settings): void {
    // After the reply of whoever asked for it: the stop breaks off what is not answered yet
    setImmediate(() => {
      restart = restart.then(() => startAgain({ ...config, settings }));
    });
  }

  /** Ends what runs and starts it with other settings; with those before when that fails. */
  async function startAgain(next: AgentConfig): Promise<void> {
    const ending = running;
    if (ending === undefined) return;
    running = undefined;
    await stopAll(ending);
    try {
      running = await startAll(next, ports, events, signals, applySettings);
      config = next;
    } catch (error) {
      if (!(error instanceof FailureError)) throw error;
      const { code, message } = error.failure;
      running = await startAll(config, ports, events, signals, applySettings);
      events.emit({
        event: 'warning',
        code,
        message: `The new settings cannot be used, those before are in force: ${message}`,
      });
    }
    for (const subject of ['settings', 'health', 'uploads'] as const) signals.changed(subject);
  }

  return {
    events,
    signals,
    call: async (request, signal) => running?.serving.call(request, signal) ?? err(notRunning),
    async start() {
      running = await startAll(config, ports, events, signals, applySettings);
    },
    async stop() {
      const ending = running;
      running = undefined;
      await restart.catch(() => undefined);
      // A start that was under way has come to its end meanwhile
      for (const each of [ending, running]) if (each !== undefined) await stopAll(each);
      running = undefined;
      signals.stop();
    },
    progress,
    push(requests) {
      for (const request of requests) pushFolder(ports, events, current(), request);
    },
    untilIdle: (signal) => untilIdle(ports.clock, events, current, signal),
    drain: async () => running?.uploading.drain(),
    suspend: async () => running?.wakeUp.suspend(),
    resume: async () => running?.wakeUp.resume(),
    locateClip: async (clipId) =>
      running === undefined ? err(notRunning) : locateClip(running, clipId, running.stopping.signal),
  };
}

function readTransfer({ uploading }: Running, { bytesTotal, bytesUploaded, bytesInFlight }: Progress) {
  return { bytesTotal, bytesDone: bytesUploaded + bytesInFlight, clips: uploading.meter.inFlight() };
}

async function startAll(
  config: AgentConfig,
  ports: Ports,
  events: AgentEvents,
  signals: SignalSource,
  applySettings: (settings: Settings) => void,
): Promise<Running> {
  const { settings, dataDir } = config;
  const { clock, logger, secrets } = ports;
  secrets.useFile?.(settings.apiKeyFile);
  await makeDataDir(dataDir);
  const lock = takeInstanceLock(dataDir, clock.now());
  if (!lock.ok) throw new FailureError(lock.error);
  try {
    const roots = await findRoots(config);
    const db = await openOrRebuild(dataDir, clock, events);
    const tables = noteChanges(createTables(db), (ids) => signals.changed('uploads', ids));
    const deskId = await loadDeskId(dataDir, tables.desk);
    const queue = createIncidentQueue(tables, clock, settings.incident.publish);
    const pictures = createPictureQueue(tables, clock, ports.thumbnails !== undefined);
    const gates = createGateBook(clock);
    const probe = createMediaProbe(clock, logger);
    const service = connectService(config, ports, events);
    const uploading = createUploading({
      config,
      ports,
      service,
      tables,
      queue,
      pictures,
      gates,
      events,
      leaseName: randomUUID(),
    });
    const intake = createIntake({
      tables,
      queue,
      pictures,
      clock,
      logger,
      events,
      deskId,
      gates,
      probe,
      multipartThresholdBytes: settings.upload.multipartThresholdBytes,
      wake: () => uploading.runner.wake(),
    });
    const watchedPaths: Running['watchedPaths'] = [];
    const stopping = new AbortController();
    const serving = createServing({
      config,
      ports,
      events,
      signals,
      db,
      tables,
      service,
      uploading,
      watchedPaths,
      queue,
      pictures,
      gates,
      deskId,
      roots,
      applySettings,
      stopping: stopping.signal,
      push(requests) {
        for (const request of requests) pushFolder(ports, events, built, request);
      },
    });
    const built: Running = {
      lock: lock.value,
      db,
      service,
      tables,
      intake,
      probe,
      uploading,
      serving,
      watchers: [],
      watchedPaths,
      gates,
      deskId,
      roots,
      stopping,
      wakeUp: createWakeUp({
        clock,
        logger,
        runner: uploading.runner,
        probe: service.probe,
        stopping: stopping.signal,
      }),
    };
    pictures.wantAll();
    uploading.runner.start();
    if (config.watchFolders !== false)
      for (const root of roots) watchRoot(ports, events, built, root.settings);
    return built;
  } catch (error) {
    lock.value.release();
    throw error;
  }
}

/** The roots of the settings with their real places. A missing one may come back; a forbidden one is an error. */
async function findRoots({ settings, dataDir }: AgentConfig): Promise<readonly WatchedRoot[]> {
  const paths = settings.watch.map(({ path }) => path);
  const facts = await inspectRoots(paths, dataDir);
  for (const root of facts) if (!root.ok) throw new FailureError(root.error);
  return settings.watch.map((watch, index) => {
    const found = facts[index];
    return {
      settings: watch,
      realPath: (found?.ok === true ? found.value.realPath : undefined) ?? watch.path,
    };
  });
}

async function stopAll(running: Running): Promise<void> {
  running.stopping.abort(new Error('The agent is stopping'));
  running.serving.breakOff();
  await Promise.all(running.watchers.map((watcher) => watcher.stop()));
  await running.uploading.stop();
  await running.serving.stop();
  running.service.stop();
  await running.probe.stop();
  running.gates.closeAll();
  running.db.close();
  running.lock.release();
}
