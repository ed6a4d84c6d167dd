import type { Failure } from '../../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import type { ServiceClock } from '../service/service-clock.ts';
import type { MultipartRow } from '../store/multipart-rows.ts';
import type { Circuits } from '../queue/circuits.ts';
import type { UploadGrant, UploadUrl, UploadUrls } from './upload-urls.ts';

/** The signed URLs of one multipart upload, asked for as needed and again before they lapse. */
export interface PartUrls {
  /** A URL for the part that lives long enough to begin with. */
  urlFor(partNumber: number, signal: AbortSignal): Promise<Result<URL, Failure>>;
  /** Storage did not accept this URL any more: the next asker gets a new one. */
  refuse(url: URL): void;
  /** Where the parts go, known after the first URLs came. */
  host(): string | undefined;
  /** The service's size limit, known after the first URLs came. */
  maxSizeBytes(): number | undefined;
}

interface Parts {
  readonly uploadUrls: UploadUrls;
  readonly serviceClock: ServiceClock;
  readonly circuits: Circuits;
}

/** Makes the book for an upload. Parts that ask at the same time share one call; all go to one host. */
export function createPartUrls(
  { uploadUrls, serviceClock, circuits }: Parts,
  incidentId: string,
  upload: MultipartRow,
): PartUrls {
  let grant: UploadGrant | undefined;
  let asking: Promise<Result<UploadGrant, Failure>> | undefined;
  const refused = new Set<string>();

  async function ask(signal: AbortSignal): Promise<Result<UploadGrant, Failure>> {
    const request = {
      part_count: upload.partCount,
      storage_key: upload.storageKey,
      upload_id: upload.uploadId,
    };
    const pinnedHost = grant?.urls[0]?.url.host;
    const answer = await uploadUrls.ask(incidentId, { [upload.clipId]: request }, pinnedHost, signal);
    if (!answer.ok) return answer;
    // Only an answer shows that the service works again: URLs that are at hand do not.
    circuits.succeeded('service');
    const mine = answer.value.get(upload.clipId);
    if (mine?.ok === true) {
      grant = mine.value;
      refused.clear();
    }
    return mine ?? err(missing);
  }

  function usable(partNumber: number): UploadUrl | undefined {
    const entry = grant?.urls[partNumber - 1];
    if (entry === undefined || refused.has(entry.url.href)) return undefined;
    return serviceClock.now() < entry.useUntilMs ? entry : undefined;
  }

  return {
    async urlFor(partNumber, signal) {
      const known = usable(partNumber);
      if (known !== undefined) return ok(known.url);
      asking ??= ask(signal).finally(() => {
        asking = undefined;
      });
      const answer = await asking;
      if (!answer.ok) return answer;
      const entry = answer.value.urls[partNumber - 1];
      return entry === undefined ? err(missing) : ok(entry.url);
    },
    refuse: (url) => void refused.add(url.href),
    host: () => grant?.urls[0]?.url.host,
    maxSizeBytes: () => grant?.maxSizeBytes,
  };
}

const missing: Failure = {
  code: 'API_PARTS',
  message: 'Get upload URLs: no URL came for a part.',
  advice: 'It is tried again by itself.',
  retryable: true,
};
