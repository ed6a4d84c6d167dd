import type { SignedUrlRules } from '../core/parts/check-signed-url.ts';
import { isOnThisMachine } from '../core/settings/check-connection.ts';
import type { Clock } from '../ports.ts';
import { createBufferPool } from '../service/signed-put-body.ts';
import { createCheckedLookup } from '../service/checked-lookup.ts';
import { type ServiceConnection } from '../service/connect-service.ts';
import { createRateLimit } from '../service/rate-limit.ts';
import { createSignedPut } from '../service/signed-put.ts';
import type { AgentConfig } from '../settings/load-settings.ts';
import { createEtagCache } from './etag-cache.ts';
import { createPartSlots } from './read-once.ts';
import { createProveSent, createSendRange } from './send-range.ts';
import { type TransferMeter } from './transfer-meter.ts';
import { createUploadUrls } from './upload-urls.ts';

/** Two buffers for each part on the line, and a few for small files. */
const SPARE_BUFFERS = 4;

/** Where the service may have bytes sent. */
export const urlRulesOf = (settings: AgentConfig['settings']): SignedUrlRules => ({
  allowLoopback: isOnThisMachine(settings.baseUrl),
  hosts: settings.upload.hosts,
});

/** Creates what sends bytes to signed URLs, with what it learns about the storage on the way. */
export function connectStorage(
  { settings }: AgentConfig,
  clock: Clock,
  service: ServiceConnection,
  meter: TransferMeter,
) {
  const { concurrentFiles, concurrentParts, maxBytesPerSecond } = settings.upload;
  const partsOnTheLine = concurrentFiles * concurrentParts;
  const urlRules = urlRulesOf(settings);
  const signedPut = createSignedPut({
    clock,
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
  const uploadUrls = createUploadUrls(service.incidents, service.clock, urlRules);
  return { uploadUrls, signedPut, etags, sendRange, proveSent, limiter, slots: createPartSlots(clock) };
}
