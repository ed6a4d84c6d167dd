import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Failure, RequestId } from '../../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { uploadGrantSchema, type WireUploadRequest } from '../../../shared/service/incident.ts';
import type { ServiceClock } from '../service/service-clock.ts';
import type { VmsIncidents } from '../service/vms-incidents.ts';
import { withIds } from '../core/text/redact.ts';
import { checkSignedUrl, type SignedUrlRules, signedUrlExpiresAt } from '../core/parts/check-signed-url.ts';
import type { MultipartRow } from '../store/multipart-rows.ts';
import type { Circuits } from '../queue/circuits.ts';

const BYTES_PER_MB = 1_000_000;
/** URLs that are checked or encrypted in one turn of the event loop, so that windows get theirs. */
export const EACH_TURN = 16;
/** A URL is requested again when less than this of its life is left: a part must begin well before the end. */
const FRESHNESS_MARGIN_MS = 60_000;
/** Short-lived URLs are used for three quarters of their life. */
const FRESHNESS_SHARE = 0.25;

/** A signed URL and the time after which it should no longer be used, on the service's clock. */
export interface UploadUrl {
  readonly url: URL;
  readonly useUntilMs: number;
}

/** The grant of endpoint 2 for one file: where it goes, and a URL for each part or one for the whole. */
export interface UploadGrant {
  readonly storageKey: string;
  readonly urls: readonly UploadUrl[];
  /** Largest file that the service accepts, bytes; undefined: no limit (service.md gap 6). */
  readonly maxSizeBytes: number | undefined;
  /** Of the answer that granted it. */
  readonly requestIds?: readonly RequestId[];
}

/** What was kept of the grant of a file in one piece. */
type KeptGrant = Pick<UploadGrant, 'storageKey' | 'maxSizeBytes'> & {
  readonly url: string;
  /** On the service's clock, milliseconds since 1970. */
  readonly useUntilMs: number;
};

/** Requests signed URLs and checks them. */
export interface UploadUrls {
  /** Grants by file ID; a file that the answer does not mention or whose URL is refused has its own failure. */
  ask(
    incidentId: string,
    files: Readonly<Record<string, WireUploadRequest>>,
    pinnedHost: string | undefined,
    signal: AbortSignal,
  ): Promise<Result<ReadonlyMap<string, Result<UploadGrant, Failure>>, Failure>>;
  /** An earlier grant, kept with its time and limit; undefined if the settings no longer allow its host. */
  again(kept: KeptGrant): UploadGrant | undefined;
}

/** Creates the client. `rules` say which hosts a signed URL may name. */
export function createUploadUrls(
  api: VmsIncidents,
  serviceClock: ServiceClock,
  rules: Omit<SignedUrlRules, 'pinnedHost'>,
): UploadUrls {
  function check(text: unknown, pinnedHost: string | undefined): Result<UploadUrl, Failure> {
    const checked = checkSignedUrl(text, pinnedHost === undefined ? rules : { ...rules, pinnedHost });
    if (!checked.ok) return checked;
    const now = serviceClock.now();
    const expiresAt = signedUrlExpiresAt(checked.value, now);
    const margin = Math.min(FRESHNESS_MARGIN_MS, (expiresAt - now) * FRESHNESS_SHARE);
    return ok({ url: checked.value, useUntilMs: expiresAt - margin });
  }

  async function grant(
    request: WireUploadRequest,
    answer: unknown,
    maxSizeBytes: number | undefined,
    pinnedHost: string | undefined,
  ): Promise<Result<UploadGrant, Failure>> {
    const parsed = uploadGrantSchema.safeParse(answer);
    if (!parsed.success) return err(oddGrant(parsed.error.issues[0]));
    const { storage_key: storageKey, signed_urls: signed } = parsed.data;
    const wanted = 'part_count' in request ? request.part_count : 1;
    const texts: readonly unknown[] = Array.isArray(signed) ? signed : [signed];
    if (texts.length !== wanted || Array.isArray(signed) !== 'part_count' in request)
      return err(wrongCount(wanted, texts.length));
    if ('storage_key' in request && storageKey !== request.storage_key) return err(otherKey);
    const urls: UploadUrl[] = [];
    for (const text of texts) {
      if (urls.length > 0 && urls.length % EACH_TURN === 0) await nextTurn();
      const checked = check(text, pinnedHost ?? urls[0]?.url.host);
      if (!checked.ok) return checked;
      urls.push(checked.value);
    }
    return ok({ storageKey, urls, maxSizeBytes });
  }

  return {
    again({ url, useUntilMs, ...kept }) {
      const checked = checkSignedUrl(url, rules);
      if (!checked.ok) return undefined;
      return { ...kept, urls: [{ url: checked.value, useUntilMs }] };
    },
    async ask(incidentId, files, pinnedHost, signal) {
      const answer = await api.getUploadUrls(incidentId, files, signal);
      if (!answer.ok) return answer;
      const limitMb = answer.value.max_upload_size_mb ?? -1;
      const maxSizeBytes = limitMb > 0 ? limitMb * BYTES_PER_MB : undefined;
      const uploads = new Map(Object.entries(answer.value.uploads));
      const grants = new Map<string, Result<UploadGrant, Failure>>();
      for (const [fileId, request] of Object.entries(files)) {
        if (grants.size > 0 && grants.size % EACH_TURN === 0) await nextTurn();
        const upload = uploads.get(fileId);
        const result =
          upload === undefined ? err(notMentioned) : await grant(request, upload, maxSizeBytes, pinnedHost);
        grants.set(fileId, named(result, answer.requestIds));
      }
      return ok(grants);
    },
  };
}

/** The result with the request IDs of the answer, whether it granted or not. */
function named(
  result: Result<UploadGrant, Failure>,
  requestIds: readonly RequestId[] | undefined,
): Result<UploadGrant, Failure> {
  const ids = withIds(requestIds);
  return result.ok ? ok({ ...result.value, ...ids }) : err({ ...result.error, ...ids });
}

function oddGrant(issue: { readonly path: readonly PropertyKey[] } | undefined): Failure {
  const field = issue?.path.map(String).join('.') ?? '';
  return {
    code: 'API_SHAPE',
    message: `Get upload URLs: ${field === '' ? 'the response for a file' : `"${field}"`} is missing or not valid.`,
    advice: 'If this still fails after several automatic retries, tell the operator of the service.',
    retryable: true,
  };
}

const notMentioned: Failure = {
  code: 'API_SHAPE',
  message: 'Get upload URLs: the response does not mention a file that was requested.',
  advice: 'If this still fails after several automatic retries, tell the operator of the service.',
  retryable: true,
};

const otherKey: Failure = {
  code: 'API_SHAPE',
  message: "Get upload URLs: the storage key in the response differs from the upload's.",
  advice: 'If this still fails after several automatic retries, tell the operator of the service.',
  retryable: true,
};

function wrongCount(wanted: number, got: number): Failure {
  return {
    code: 'API_PARTS',
    status: 200,
    message:
      got === wanted
        ? 'Get upload URLs: the URLs were not returned in the requested form.'
        : `Get upload URLs: ${wanted} ${wanted === 1 ? 'URL was' : 'URLs were'} requested, but ${got} came back.`,
    advice: 'If this still fails after several automatic retries, tell the operator of the service.',
    retryable: true,
  };
}

/** 200: URLs came, but not as many as requested. */
const countRefusals = new Set([200, 400, 409, 422]);

/** Whether URLs were refused as they would be for a different number of parts (service.md gap 37). */
export function isCountRefused({ status }: Failure): boolean {
  return status !== undefined && countRefusals.has(status);
}

/** The signed URLs of one multipart upload, requested as needed and again before they lapse. */
export interface PartUrls {
  /** A URL for the part that is valid long enough to begin with. */
  urlFor(partNumber: number, signal: AbortSignal): Promise<Result<URL, Failure>>;
  /** Storage did not accept this URL any more: the next caller gets a new one. */
  refuse(url: URL): void;
  /** Where the parts go; known after the first URLs came. */
  host(): string | undefined;
  /** The service's size limit; known after the first URLs came. */
  maxSizeBytes(): number | undefined;
}

interface Deps {
  readonly uploadUrls: UploadUrls;
  readonly serviceClock: ServiceClock;
  readonly circuits: Circuits;
}

/** Creates the part URLs of an upload. Parts that ask at the same time share one call; all go to one host. */
export function createPartUrls(
  { uploadUrls, serviceClock, circuits }: Deps,
  incidentId: string,
  upload: Pick<MultipartRow, 'clipId' | 'partCount' | 'storageKey' | 'uploadId'>,
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
    const mine = answer.value.get(upload.clipId);
    if (mine?.ok === true) {
      // Only an answer shows that the service works again: URLs at hand do not
      circuits.succeeded('urls', upload.clipId);
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
  message: 'Get upload URLs: no URL was returned for a part.',
  advice: 'If this still fails after several automatic retries, tell the operator of the service.',
  retryable: true,
};
