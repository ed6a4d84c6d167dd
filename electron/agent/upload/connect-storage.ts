import { isOnThisMachine } from '../core/settings/check-connection.ts';
import type { Clock, WorkerThreads } from '../ports.ts';
import { createBufferPool } from '../service/signed-put-body.ts';
import { createCheckedLookup } from '../service/checked-lookup.ts';
import { type ServiceConnection } from '../service/connect-service.ts';
import { createRateLimit } from '../service/rate-limit.ts';
import { createSignedPut } from '../service/signed-put.ts';
import type { AgentConfig } from '../settings/load-settings.ts';
import { createEtagCache } from './etag-cache.ts';
import { createPartSlots } from './read-once.ts';
import { createProveSent, createSendRange } from './send-range.ts';
import { createSendThreads } from './send-threads.ts';
import { type TransferMeter } from './transfer-meter.ts';
import { createUploadUrls } from './upload-urls.ts';

/** Two buffers for each part on the line, and a few for small files. */
const SPARE_BUFFERS = 4;
/** Connections to storage beyond those of parts: small files. */
const SPARE_SOCKETS = 8;

/** What sends bytes to signed URLs, and what it learns of the storage on the way. */
export function connectStorage(
  { settings }: AgentConfig,
  { clock, threads }: { readonly clock: Clock; readonly threads: WorkerThreads },
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
  const limiter = createRateLimit(clock, maxBytesPerSecond);
  const etags = createEtagCache();
  const sendRange = createSendRange({
    signedPut,
    bufferPool: createBufferPool(clock, 2 * partsOnTheLine + SPARE_BUFFERS),
    limiter,
    meter,
    etags,
    serviceClock: service.clock,
  });
  const proveSent = createProveSent({ meter, etags, serviceClock: service.clock });
  const senders = createSendThreads(clock, urlRules, threads);
  const uploadUrls = createUploadUrls(service.incidents, service.clock, urlRules);
  return {
    uploadUrls,
    etags,
    sendRange,
    proveSent,
    senders,
    slots: createPartSlots(clock),
    /** Whether threads may send there by themselves: they know neither the limit nor the way through a proxy. */
    isDirect: (url: URL): boolean =>
      !limiter.isLimited && service.route.proxyFor(targetOf(url)) === undefined,
    limiter: {
      setLimit(maxBytesPerSecond: number | null): void {
        limiter.setLimit(maxBytesPerSecond);
        if (maxBytesPerSecond !== null) senders.hold();
      },
    },
    /** Closes kept connections and ends the threads. */
    close(): void {
      signedPut.stop();
      senders.stop();
    },
  };
}

const HTTPS_PORT = 443;

const targetOf = ({ hostname, port }: URL) => ({
  hostname: hostname.replaceAll(/^\[|\]$/g, ''),
  port: port === '' ? HTTPS_PORT : Number(port),
});
