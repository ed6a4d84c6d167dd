/**
 * The composition root: everything that an agent consists of is built here, in one visible order, from the data
 * directory up to the calls, and stopped in reverse. Nothing else builds services, and nothing looks one up: who needs
 * what stands in the arguments below.
 */
import { randomUUID } from 'node:crypto';
import { FailureError } from '../../shared/domain/failure.ts';
import { createAgentLifecycle, type AgentHost } from './agent-lifecycle.ts';
import type { Agent, BuiltAgent } from './agent.ts';
import { createCalls } from './calls/create-calls.ts';
import { locateClip } from './calls/clip-files.ts';
import { noteChanges } from './calls/change-signals.ts';
import { createHealthReader } from './calls/health.ts';
import { createUploadReads } from './calls/upload-reads.ts';
import { rootIdOf } from './core/records/derived-ids.ts';
import { isOnThisMachine } from './core/settings/check-base-url.ts';
import { openAuditTrail } from './evidence/audit-trail.ts';
import { createMediaProbe } from './files/containers/media-probe.ts';
import { createHashPools } from './files/hashing/hash-pool.ts';
import { ownThreads } from './files/own-threads.ts';
import { createRootGates } from './files/root-gate.ts';
import { createSnapshotReader } from './files/snapshot-reader.ts';
import { findRoots, type PushRequest } from './files/watched-root.ts';
import { untilIdle } from './idle-check.ts';
import { createIntake } from './intake/intake.ts';
import type { Clock, Ports } from './ports.ts';
import { countProgress } from './progress.ts';
import { createClipResults } from './queue/clip-results.ts';
import { createGroupCommit } from './queue/group-commit.ts';
import { createIncidentQueue } from './queue/incident-jobs.ts';
import { createJobRunner, wakeRoot } from './queue/job-runner.ts';
import { createCircuits } from './queue/circuits.ts';
import { createThumbnailJobs } from './queue/thumbnail-jobs.ts';
import { createUploadCommands } from './queue/upload-commands.ts';
import { createRecordWorker } from './record/record-worker.ts';
import { createBufferPool } from './service/signed-put-body.ts';
import { createCheckedLookup } from './service/checked-lookup.ts';
import { connectService, type ServiceConnection } from './service/connect-service.ts';
import { createRateLimit } from './service/rate-limit.ts';
import { createSignedPut } from './service/signed-put.ts';
import type { AgentConfig } from './settings/agent-config.ts';
import { loadDeskId } from './store/desk-id.ts';
import { createHealthReads } from './store/status-reads.ts';
import { takeInstanceLock } from './store/instance-lock.ts';
import { makeDataDir, openOrRebuild } from './store/open-db.ts';
import { createTables } from './store/tables.ts';
import { createThumbnailFiles } from './thumbnails/thumbnail-files.ts';
import { createThumbnailWorker } from './thumbnails/thumbnail-worker.ts';
import { createEtagCache } from './upload/etag-cache.ts';
import { createLargeWorker } from './upload/large-worker.ts';
import { createSendRange } from './upload/send-range.ts';
import { createSmallWorker } from './upload/small-worker.ts';
import { createTransferMeter, type TransferMeter } from './upload/transfer-meter.ts';
import { createUploadUrls } from './upload/upload-urls.ts';
import { createWakeUp } from './wake-up.ts';
import { createWatchedFolders } from './watch/watched-folders.ts';

/** Two buffers for each part on the line, and a few for small files. */
const SPARE_BUFFERS = 4;
/** Connections to storage beyond those of parts: small files. */
const SPARE_SOCKETS = 8;

/** Makes an agent; nothing is opened before `start`. */
export function createAgent(config: AgentConfig, ports: Ports): Agent {
  return createAgentLifecycle(config, ports, build);
}

/** Takes the data directory and builds an agent in it. Rejects with `FailureError`; the directory is then free again. */
async function build(config: AgentConfig, ports: Ports, host: AgentHost): Promise<BuiltAgent> {
  const { dataDir, settings } = config;
  ports.secrets.useFile?.(settings.apiKeyFile);
  await makeDataDir(dataDir);
  const lock = takeInstanceLock(dataDir, ports.clock.now());
  if (!lock.ok) throw new FailureError(lock.error);
  try {
    const roots = await findRoots(settings.watch, dataDir, ports.clock);
    const db = await openOrRebuild(dataDir, ports.clock, host.events);
    const tables = noteChanges(createTables(db), (ids) => host.signals.changed('uploads', ids));
    const deskId = await loadDeskId(dataDir, tables.desk);
    return assemble(config, ports, host, { lock: lock.value, roots, db, tables, deskId });
  } catch (error) {
    lock.value.release();
    throw error;
  }
}

/** What lies in the data directory and the watched folders. */
interface Places {
  readonly lock: { release(): void };
  readonly roots: Awaited<ReturnType<typeof findRoots>>;
  readonly db: Awaited<ReturnType<typeof openOrRebuild>>;
  readonly tables: ReturnType<typeof createTables>;
  readonly deskId: Awaited<ReturnType<typeof loadDeskId>>;
}

function assemble(config: AgentConfig, ports: Ports, host: AgentHost, places: Places): BuiltAgent {
  const { upload, incident } = config.settings;
  const { clock, logger, threads = ownThreads } = ports;
  const { events, signals } = host;
  const { roots, db, tables, deskId } = places;
  const stopping = new AbortController();
  const rootId = (rootPath: string) => rootIdOf(deskId, rootPath);

  // The service, and files on shares that may hang
  const service = connectService(config, ports, events);
  const gates = createRootGates(clock);
  const probe = createMediaProbe(clock, logger, threads);
  const hashPools = createHashPools(clock, threads);
  const snapshots = createSnapshotReader(clock, threads);

  // The queue: rows, and the jobs that follow from them
  const circuits = createCircuits(clock, events);
  const groupCommit = createGroupCommit(tables, clock);
  const queue = createIncidentQueue(tables, clock, incident.publish);
  const thumbnailJobs = createThumbnailJobs(tables, clock, ports.thumbnails !== undefined);
  const meter = createTransferMeter();
  const results = createClipResults({ tables, queue, events, meter, thumbnailJobs, clock });
  const { uploadUrls, signedPut, etags, sendRange } = connectStorage(config, clock, service, meter);

  // Who carries out the jobs, and the runner that hands them out
  let isEnding = false;
  const line = {
    isEnding: () => isEnding,
    api: service.incidents,
    serviceClock: service.clock,
    tables,
    queue,
    events,
    circuits,
    clock,
    logger,
    results,
    thumbnailJobs,
    gates,
    uploadUrls,
    hashPools,
    sendRange,
  };
  const thumbnailFiles = createThumbnailFiles(config.dataDir);
  const maker = ports.thumbnails;
  const thresholdBytes = upload.multipartThresholdBytes;
  const { partSizeBytes, concurrentParts, concurrentFiles } = upload;
  const rules = { thresholdBytes, partSizeBytes, concurrentParts };
  const runner = createJobRunner({ tables, groupCommit, circuits, clock, logger, leaseName: randomUUID() }, [
    createRecordWorker(line),
    createSmallWorker({ ...line, snapshots, thumbnailsFolder: thumbnailFiles.folder, thresholdBytes }),
    createLargeWorker({ ...line, groupCommit, meter, etags, rules }, concurrentFiles),
    ...(maker === undefined ? [] : [createThumbnailWorker({ ...line, maker, files: thumbnailFiles })]),
  ]);
  const commands = createUploadCommands({ ...line, runner, removeThumbnail: thumbnailFiles.remove });
  const openJobs = () =>
    tables.jobs.countOpen() + (maker === undefined ? 0 : tables.jobs.countOpenThumbnails());
  const wakeUp = createWakeUp({ clock, logger, runner, probe: service.probe, stopping: stopping.signal });

  // From folders into the queue
  const intake = createIntake({
    tables,
    queue,
    thumbnailJobs,
    clock,
    logger,
    events,
    deskId,
    gates,
    probe,
    multipartThresholdBytes: thresholdBytes,
    wake: () => runner.wake(),
  });
  const folders = createWatchedFolders({
    clock,
    logger,
    events,
    gates,
    roots,
    clips: tables.clips,
    rootIdOf: rootId,
    takeIn: (snapshot, intakeRules) => intake.take(snapshot, intakeRules, stopping.signal),
    onRootBack: (id) => wakeRoot({ tables, clock, runner }, id),
    stopping: stopping.signal,
  });
  const push = (requests: readonly PushRequest[]): void => {
    for (const request of requests) folders.push(request);
  };

  // What windows may ask
  const health = createHealthReader({
    version: config.version,
    clock,
    events,
    tables,
    circuits,
    reads: createHealthReads(db),
    serviceClock: service.clock,
    roots: folders.roots,
  });
  const trail = openAuditTrail({ rows: tables.audit, clock, logger, events });
  const calls = createCalls({
    config,
    ports,
    signals,
    db,
    tables,
    queue,
    pictures: thumbnailJobs,
    gates,
    deskId,
    roots,
    health,
    trail,
    orders: commands,
    push,
    reads: createUploadReads(tables),
    team: service.team,
    wakeQueue: () => runner.wake(),
    async stopUploads(failure) {
      circuits.pause('service', failure);
      await runner.interrupt(() => true);
    },
    applySettings: host.applySettings,
    stopping: stopping.signal,
  });
  const unsubscribe = meter.onSent(() => signals.moved());

  // The start
  trail.note('agent.started', { version: config.version });
  thumbnailJobs.wantAll();
  runner.start();
  if (config.watchFolders !== false) for (const root of roots) folders.watchRoot(root.settings);

  return {
    meter,
    push,
    call: calls.call,
    progress: () => countProgress({ tables, circuits, meter, watchers: folders.watchers }),
    untilIdle: (signal) =>
      untilIdle({ clock, events, circuits, runner, openJobs, watchers: folders.watchers }, signal),
    locateClip: (clipId) => locateClip({ tables, gates }, clipId, stopping.signal),
    suspend: wakeUp.suspend,
    resume: wakeUp.resume,
    async drain() {
      isEnding = true;
      const drained = runner.drain();
      // Nobody waits for a thumbnail to quit
      void runner.interrupt(({ kind }) => kind === 'make-thumbnail');
      await drained;
    },
    async stop() {
      stopping.abort(new Error('The agent is stopping'));
      calls.breakOff();
      await folders.stop();
      await runner.stop();
      await commands.settled();
      signedPut.stop();
      snapshots.stop();
      await hashPools.stop();
      unsubscribe();
      await calls.settled();
      health.stop();
      service.stop();
      await probe.stop();
      gates.closeAll();
      db.close();
      places.lock.release();
    },
  };
}

/** What sends bytes to signed URLs, and what it learns of the storage on the way. */
function connectStorage(
  { settings }: AgentConfig,
  clock: Clock,
  service: ServiceConnection,
  meter: TransferMeter,
) {
  const { concurrentFiles, concurrentParts, maxBytesPerSecond, hosts } = settings.upload;
  const partsOnTheLine = concurrentFiles * concurrentParts;
  const urlRules = { allowLoopback: isOnThisMachine(settings.baseUrl), hosts };
  const signedPut = createSignedPut({
    clock,
    maxSockets: partsOnTheLine + SPARE_SOCKETS,
    lookup: createCheckedLookup(urlRules),
    route: service.route,
  });
  const etags = createEtagCache();
  const sendRange = createSendRange({
    signedPut,
    bufferPool: createBufferPool(clock, 2 * partsOnTheLine + SPARE_BUFFERS),
    limiter: createRateLimit(clock, maxBytesPerSecond),
    meter,
    etags,
    serviceClock: service.clock,
  });
  const uploadUrls = createUploadUrls(service.incidents, service.clock, urlRules);
  return { uploadUrls, signedPut, etags, sendRange };
}
