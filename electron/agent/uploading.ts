import type { Failure } from '../../shared/domain/failure.ts';
import type { AgentConfig } from './agent.ts';
import { createCheckedLookup } from './service/checked-lookup.ts';
import type { ServiceConnection } from './service/connect-service.ts';
import { createSignedPut } from './service/signed-put.ts';
import { isOnThisMachine } from './core/settings/check-base-url.ts';
import type { Tables } from './store/tables.ts';
import type { AgentEvents } from './events.ts';
import type { IncidentQueue } from './queue/incident-jobs.ts';
import { createRecordWorker } from './record/record-worker.ts';
import { createGroupCommit } from './queue/group-commit.ts';
import { createJobRunner } from './queue/job-runner.ts';
import { createLanes } from './queue/lanes.ts';
import { createUploadOrders } from './queue/upload-orders.ts';
import { wakeRoot } from './queue/wake-root.ts';
import { createSnapshotReader } from './files/snapshot-reader.ts';
import { createHashPools } from './files/hashing/hash-pools.ts';
import type { Ports } from './ports.ts';
import { createPictureFiles } from './thumbnails/picture-files.ts';
import type { PictureQueue } from './queue/thumbnail-jobs.ts';
import { createThumbnailWorker } from './thumbnails/thumbnail-worker.ts';
import { createBufferPool } from './service/buffer-pool.ts';
import { createClipFacts } from './queue/clip-facts.ts';
import { createEtagBook } from './upload/etag-book.ts';
import { createLargeWorker } from './upload/large-worker.ts';
import { createRateLimit } from './service/rate-limit.ts';
import { createSendRange } from './upload/send-range.ts';
import { createSmallWorker } from './upload/small-worker.ts';
import type { RootGates } from './files/source-file.ts';
import { createTransferMeter } from './upload/transfer-meter.ts';
import { createUploadUrls } from './upload/upload-urls.ts';
import { createUploadReads } from './calls/upload-reads.ts';

/** Two buffers for each part on the line, and a few for small files. */
const SPARE_BUFFERS = 4;
/** Connections to storage beyond those of parts: small files. */
const SPARE_SOCKETS = 8;

interface Needs {
  readonly config: AgentConfig;
  readonly ports: Ports;
  readonly service: ServiceConnection;
  readonly tables: Tables;
  readonly queue: IncidentQueue;
  readonly pictures: PictureQueue;
  readonly gates: RootGates;
  readonly events: AgentEvents;
  readonly leaseName: string;
}

/** Everything from the job queue to the line, built in one visible order; `stop` ends it in reverse. */
export function createUploading(needs: Needs) {
  const { config, ports, service, tables, queue, pictures, gates, events, leaseName } = needs;
  const { settings } = config;
  const { clock, logger, thumbnails: maker } = ports;
  const { incidents: api, clock: serviceClock } = service;
  const { upload } = settings;
  const rules = {
    allowLoopback: isOnThisMachine(settings.baseUrl),
    hosts: upload.hosts,
  };
  const partsOnTheLine = upload.concurrentFiles * upload.concurrentParts;
  const signedPut = createSignedPut({
    clock,
    maxSockets: partsOnTheLine + SPARE_SOCKETS,
    lookup: createCheckedLookup(rules),
    route: service.route,
  });
  const hashPools = createHashPools(clock);
  const snapshots = createSnapshotReader(clock);
  const meter = createTransferMeter();
  const lanes = createLanes(clock, events);
  const groupCommit = createGroupCommit(tables, clock);
  const facts = createClipFacts({ tables, queue, events, meter, pictures, clock });
  const uploadUrls = createUploadUrls(api, serviceClock, rules);
  const etags = createEtagBook();
  const sendRange = createSendRange({
    signedPut,
    bufferPool: createBufferPool(clock, 2 * partsOnTheLine + SPARE_BUFFERS),
    limiter: createRateLimit(clock, upload.maxBytesPerSecond),
    meter,
    etags,
    serviceClock,
  });
  let isEnding = false;
  const files = createPictureFiles(config.dataDir);
  const shared = {
    isEnding: () => isEnding,
    tables,
    api,
    queue,
    events,
    lanes,
    clock,
    logger,
    facts,
    gates,
    uploadUrls,
    hashPools,
    sendRange,
  };
  const runner = createJobRunner({ tables, groupCommit, lanes, clock, logger, leaseName }, [
    createRecordWorker(shared),
    createSmallWorker({
      ...shared,
      snapshots,
      picturesFolder: files.folder,
      thresholdBytes: upload.multipartThresholdBytes,
    }),
    createLargeWorker(
      {
        ...shared,
        groupCommit,
        serviceClock,
        meter,
        etags,
        rules: {
          thresholdBytes: upload.multipartThresholdBytes,
          partSizeBytes: upload.partSizeBytes,
          concurrentParts: upload.concurrentParts,
        },
      },
      upload.concurrentFiles,
    ),
    ...(maker === undefined ? [] : [createThumbnailWorker({ ...shared, maker, files, pictures })]),
  ]);
  const orders = createUploadOrders({ tables, runner, facts, clock, removePicture: files.remove });
  return {
    runner,
    lanes,
    meter,
    orders,
    reads: createUploadReads(tables),
    /** What waits for a root that was away is due. */
    wakeRoot: (rootId: string) => wakeRoot({ tables, clock, runner }, rootId),
    /** Jobs that are to be run, now or later, without a person's word. */
    openJobs: () => tables.jobs.countOpen() + (maker === undefined ? 0 : tables.jobs.countOpenPictures()),
    /** What is on the line ends, nothing more is begun; `stop` comes after it. */
    drain() {
      isEnding = true;
      const drained = runner.drain();
      // Nobody waits for a picture to quit
      void runner.interrupt(({ kind }) => kind === 'make-thumbnail');
      return drained;
    },
    /** Nothing more can be asked of the service: what is under way goes back into the queue, which waits. */
    async stopFor(failure: Failure) {
      lanes.pause('service', failure);
      await runner.interrupt(() => true);
    },
    async stop() {
      await runner.stop();
      await orders.settled();
      signedPut.stop();
      snapshots.stop();
      await hashPools.stop();
    },
  };
}

/** Everything from the job queue to the line. */
export type Uploading = ReturnType<typeof createUploading>;
