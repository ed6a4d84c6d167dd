/**
 * The composition root: every part of an agent is built here, in one visible order, from the data directory up to the
 * calls, and stopped in reverse. Nothing else builds services, and nothing looks one up: dependencies are passed as the
 * arguments below.
 */
import { randomUUID } from 'node:crypto';
import { createAgentLifecycle, type AgentHost, untilIdle } from './agent-lifecycle.ts';
import { type Agent, type BuiltAgent, countProgress } from './agent.ts';
import { createCalls } from './calls/create-calls.ts';
import { locateClip } from './calls/clip-files.ts';
import { createPlayedClips } from './calls/uploads.ts';
import { noteChanges } from './calls/change-signals.ts';
import { createHealthReader } from './calls/health.ts';
import { createUploadReads } from './calls/upload-reads.ts';
import { idOwner, rootIdOf } from './core/records/derived-ids.ts';
import { createSiteRules } from './core/naming/recognisers.ts';
import { createCleanUp } from './evidence/clean-up/clean-up.ts';
import { createProof } from './evidence/proof.ts';
import { createMediaProbe } from './files/containers/media-probe.ts';
import { createFileSum, createFileSums } from './files/file-sum.ts';
import { createHashPools } from './files/hashing/hash-pool.ts';
import { ownThreads } from './files/own-threads.ts';
import { createKnownRoots, findRoots, type PushRequest, type WatchedRoot } from './files/watched-root.ts';
import { createRootGates } from './files/root-gate.ts';
import { createIdleHash } from './intake/background-hashing.ts';
import { applyCameras } from './intake/apply-cameras.ts';
import { createIntake } from './intake/intake.ts';
import { createPolicyFollower } from './follow-policy.ts';
import { createScheduleFollower } from './follow-schedule.ts';
import { createMetrics } from './metrics-file.ts';
import type { Ports } from './ports.ts';
import { createClipResults } from './queue/clip-results.ts';
import { createGroupCommit } from './queue/group-commit.ts';
import { createIncidentQueue, createThumbnailJobs } from './queue/incident-jobs.ts';
import { createJobRunner } from './queue/job-runner.ts';
import { wakeRoot } from './queue/wake-root.ts';
import { createLiveUploads } from './queue/live-uploads.ts';
import { createCircuits } from './queue/circuits.ts';
import { createDeadlines } from './queue/deadlines.ts';
import { createRetention } from './queue/retention.ts';
import { createSeenExports } from './queue/seen-exports.ts';
import { createUploadCommands } from './queue/upload-commands.ts';
import { createRecordWorker } from './record/record-worker.ts';
import { connectService } from './service/connect-service.ts';
import type { AgentConfig } from './settings/load-settings.ts';
import { createHealthReads, createMetricReads } from './store/status-reads.ts';
import { openDataDir, type DataDir } from './store/open-data-dir.ts';
import { storeErrorOf } from './store/store-failures.ts';
import { createThumbnailFiles } from './thumbnails/thumbnail-files.ts';
import { createThumbnailWorker } from './thumbnails/thumbnail-worker.ts';
import { connectStorage } from './upload/connect-storage.ts';
import { createSmallFileThreads } from './upload/send-in-thread.ts';
import { createKeptGrants } from './upload/kept-grants.ts';
import { createAheadWorker } from './upload/ahead-worker.ts';
import { createLargeWorker } from './upload/large-worker.ts';
import { createSmallWorker } from './upload/small-worker.ts';
import { createTransferMeter } from './upload/transfer-meter.ts';
import { createWakeUp } from './wake-up.ts';
import { createWatchedFolders } from './watch/watched-folders.ts';

/** Creates an agent; nothing is opened before `start`. */
export function createAgent(config: AgentConfig, ports: Ports): Agent {
  return createAgentLifecycle(config, ports, build);
}

/** Locks the data directory and builds an agent in it. Rejects with `FailureError` and releases the directory again. */
async function build(config: AgentConfig, ports: Ports, host: AgentHost): Promise<BuiltAgent> {
  const { dataDir, settings } = config;
  ports.secrets.useFile?.(settings.apiKeyFile);
  const { clock, logger } = ports;
  const roots = await findRoots(settings.watch, dataDir, clock);
  const data = await openDataDir(dataDir, { clock, logger, events: host.events });
  let built: BuiltAgent | undefined;
  try {
    built = assemble(config, ports, host, { ...data, roots });
    built.begin();
    return built;
  } catch (error) {
    await (built === undefined ? data.close() : built.stop());
    throw storeErrorOf(dataDir, error);
  }
}

/** The contents of the data directory, and the watched folders. */
type Places = DataDir & { readonly roots: readonly WatchedRoot[] };

function assemble(config: AgentConfig, ports: Ports, host: AgentHost, data: Places): BuiltAgent {
  const { upload, incident, evidence, retention: periods } = config.settings;
  const { clock, logger, threads = ownThreads, thumbnails: maker } = ports;
  const { events, signals } = host;
  const { db, disk, roots } = data;
  const deskId = idOwner(config.settings.siteId, data.deskId);
  const tables = noteChanges(data.tables, (ids) => signals.changed('uploads', ids));
  const stopping = new AbortController();
  const rootIdFor = (path: string) => rootIdOf(deskId, path);

  // The service, and files on shares that may hang
  const service = connectService(config, ports, events);
  const thumbnailFiles = createThumbnailFiles(config.dataDir);
  const knownRoots = createKnownRoots(config, thumbnailFiles.folder);
  const snapshots = createSmallFileThreads(config, clock, threads);
  const gates = createRootGates(clock, events.warn, knownRoots.refusal, snapshots);
  const probe = createMediaProbe(clock, logger, threads);
  const hashPools = createHashPools(clock, threads);

  // The queue: rows, and the jobs that follow from them
  const circuits = createCircuits(clock, events);
  const groupCommit = createGroupCommit(tables, clock);
  const queue = createIncidentQueue(tables, clock, incident.publish);
  const thumbnailJobs = createThumbnailJobs(tables, clock, ports.thumbnails !== undefined);
  const meter = createTransferMeter(clock);
  const results = createClipResults({ tables, queue, events, meter, thumbnailJobs, clock });
  const storage = connectStorage(config, clock, service, meter);
  const { signedPut, limiter } = storage;

  // The workers for the jobs, and the runner that hands jobs out
  let isEnding = false;
  const line = {
    isEnding: () => isEnding,
    site: createSiteRules(config.settings),
    api: service.incidents,
    serviceClock: service.clock,
    answerTimes: service.answerTimes,
    tables,
    queue,
    events,
    circuits,
    clock,
    logger,
    results,
    thumbnailJobs,
    gates,
    hashPools,
    ...storage,
    isShared: config.settings.siteId !== '',
    meter,
    signals,
    stopping: stopping.signal,
    config,
    deskId,
    route: service.route,
    roots,
    probe,
  };
  const kept = createKeptGrants({ ...line, secrets: ports.secrets });
  const { remove: removeThumbnail, folder: thumbnailsFolder } = thumbnailFiles;
  const { multipartThresholdBytes: thresholdBytes, partSizeBytes, concurrentParts, concurrentFiles } = upload;
  const rules = { thresholdBytes, partSizeBytes, concurrentParts };
  const schedule = createScheduleFollower({ ...line, ports, upload, limiter });
  const runnerDeps = { ...line, ...schedule, groupCommit, disk, leaseName: randomUUID() };
  const ahead = createAheadWorker({ ...line, groupCommit, upload });
  const runner = createJobRunner(runnerDeps, [
    createRecordWorker(line),
    createSmallWorker({ ...line, kept, snapshots, thumbnailsFolder, thresholdBytes }),
    createLargeWorker({ ...line, groupCommit, rules, ahead }, concurrentFiles),
    ahead,
    ...(maker === undefined ? [] : [createThumbnailWorker({ ...line, maker, files: thumbnailFiles })]),
  ]);
  const commands = createUploadCommands({ ...line, runner, removeThumbnail });
  const openJobs = () => tables.jobs.countOpen() + (maker ? tables.jobs.countOpenThumbnails() : 0);

  // From folders into the queue
  const seen = createSeenExports({ tables, clock, events, logger, gates, signals });
  const live = createLiveUploads({ ...line, upload, wake: () => runner.wake() });
  const fileSum = createFileSum({ gates, snapshots, hashPools });
  const intake = createIntake({
    ...line,
    fileSum: createFileSum({ gates, snapshots, hashPools }, true),
    listSums: createFileSums({ gates, hashPools }),
    hashAtIntake: evidence.hashAtIntake,
    multipartThresholdBytes: thresholdBytes,
    seen,
    wake: () => runner.wake(),
  });
  const idleHash = createIdleHash({ ...line, fileSum, runner }, stopping.signal);
  const folders = createWatchedFolders({
    ...line,
    rootIdOf: rootIdFor,
    seen,
    takeIn: (snapshot, intakeRules) => intake.take(snapshot, intakeRules, stopping.signal),
    onRootBack: (id) => wakeRoot({ tables, clock, runner }, id),
    growth: live,
    onPush: knownRoots.add,
  });
  const push = (requests: readonly PushRequest[]) => requests.forEach(folders.push);

  // Calls from windows
  const pauses = () => [...disk.pauses(), ...circuits.pauses()];
  const proof = createProof({ config, ports, events, tables, deskId, service, findings: data.findings });
  const { trail } = proof;
  const deadlines = createDeadlines({ ...line, trail, rootIdFor, line: { ...schedule, upload } });
  const cleanUp = createCleanUp({ ...line, ...config, policy: config.policy?.cleanUp, trail, fileSum });
  const organisation = createPolicyFollower({ ...line, ...host });
  const health = createHealthReader({
    ...line,
    ...config,
    deadlines,
    cleanUp,
    policy: organisation.state,
    proof: proof.heads.state,
    line: schedule.state,
    pauses,
    findings: data.findings,
    reads: createHealthReads(db),
    roots: folders.roots,
  });
  const metrics = createMetrics({ ...line, health, queue: createMetricReads(db) });
  const retention = createRetention({ ...line, periods, trail, removeThumbnail });
  const played = createPlayedClips({ tables, gates });
  const calls = createCalls({
    ...line,
    played,
    seen,
    schedule,
    ports,
    db,
    pictures: thumbnailJobs,
    health,
    ...proof,
    fileSum,
    commands,
    push,
    reads: createUploadReads(tables),
    team: service.team,
    wakeQueue: () => runner.wake(),
    async stopUploads(failure) {
      circuits.pause('service', failure);
      await runner.interrupt(() => true);
    },
    applySettings: host.applySettings,
  });
  const unsubscribe = meter.onSent(() => signals.moved());

  return {
    // What must be stored comes before anything runs
    begin() {
      proof.start();
      thumbnailJobs.wantAll();
      disk.start({ probe: tables.desk.probe, onRoom: () => runner.wake(), onBroken: host.reopen });
      data.useThreads(threads, host.reopen);
      data.watchFile({ note: (action) => trail.note(action, {}), reopen: host.reopen });
      schedule.start(runner);
      runner.start();
      intake.start();
      void applyCameras({ ...line, roots }, config.settings.cameras, stopping.signal).catch(
        (error: unknown) => logger.error('The camera list could not be applied to the queue', { error }),
      );
      for (const keeper of [retention, deadlines, cleanUp]) keeper.start();
      idleHash.start(evidence.hashAtIntake);
      metrics.start();
      organisation.start();
      if (config.watchFolders === false) return;
      for (const root of roots) folders.watchRoot(root.settings);
      seen.keepOnly(new Set(roots.map(({ settings }) => rootIdFor(settings.path))));
      live.start();
    },
    meter,
    push,
    call: calls.call,
    progress: () => countProgress({ tables, pauses, meter, watchers: folders.watchers }),
    untilIdle(signal = stopping.signal) {
      const idle = { ...line, runner, openJobs, intake, watchers: folders.watchers };
      return untilIdle(idle, AbortSignal.any([signal, stopping.signal])).finally(seen.flush);
    },
    noteSignIn: proof.noteSignIn,
    playClip: (request, signal) => played.answer(request, AbortSignal.any([signal, stopping.signal])),
    locateClip: (clipId) => locateClip({ tables, gates }, clipId, stopping.signal),
    ...createWakeUp({ clock, logger, runner, probe: service.probe, stopping: stopping.signal }),
    async drain() {
      isEnding = true;
      const drained = runner.drain();
      // Quitting does not wait for a thumbnail
      void runner.interrupt(({ kind }) => kind === 'make-thumbnail');
      await drained;
    },
    async stop() {
      stopping.abort(new Error('The agent is stopping'));
      await metrics.stop();
      calls.breakOff();
      await folders.stop();
      await intake.settled();
      await idleHash.ended();
      await seen.stop();
      await runner.stop();
      await commands.settled();
      await Promise.all([retention.stop(), cleanUp.stop()]);
      signedPut.stop();
      snapshots.stop();
      await hashPools.stop();
      unsubscribe();
      await calls.settled().finally(health.stop);
      service.stop();
      await probe.stop();
      gates.closeAll();
      await proof.stop();
      await data.close();
    },
  };
}
