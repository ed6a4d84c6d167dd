import { err, ok } from '../../../shared/lib/result.ts';
import { carryOut, type FaultContext } from '../faults/carry-out.ts';
import { openExchange, type Exchange } from '../http/exchange.ts';
import { openListener } from '../http/listener.ts';
import { serveSafely } from '../http/serve-safely.ts';
import type { WritableRequestLog } from '../request-log.ts';
import type { SimulatorSettings } from '../settings.ts';
import type { StorageBackend } from './backend.ts';
import { createObjectTable, type ObjectTable } from './object-table.ts';
import type { Hashing } from './receive-body.ts';
import { signUrl } from './sign-url.ts';
import { storageFailure } from './storage-failure.ts';
import { storePut, type StorageHandlerContext } from './storage-handler.ts';
import { readStorageTarget, type StorageTarget } from './storage-target.ts';
import { readBlob, sha256OfBlob } from './stored-blob.ts';

export interface EmbeddedOptions {
  readonly folder: string;
  readonly port: number;
  /** Keep sizes and digests only, not the bytes. */
  readonly isDiscarding: boolean;
  readonly hashing: Hashing;
  /** Largest file in one piece (service.md "Limits"). */
  readonly maxSinglePieceBytes: number;
}

export interface EmbeddedContext extends FaultContext {
  readonly settings: SimulatorSettings;
  readonly log: WritableRequestLog;
  /** The file that a key was issued for, for the log and for rules. */
  readonly ownerOf: (key: string) => { readonly incidentId: string; readonly fileId: string } | undefined;
}

const BUCKET = 'vms-clips';
const signingKey = {
  accessKeyId: 'SIMULATORSTORAGE',
  secretAccessKey: 'simulated-storage-secret',
  region: 'eu-west-2',
};
/** S3's limit for one PUT. */
const MAX_PART_BYTES = 5 * 1024 ** 3;

/** Storage in a folder with an HTTP listener of its own, as strict as real stores are. */
export async function openEmbeddedBackend(
  options: EmbeddedOptions,
  context: EmbeddedContext,
): Promise<StorageBackend> {
  const { settings, clock } = context;
  const maxObjectBytes = () =>
    settings.maxUploadSizeMb > 0 ? settings.maxUploadSizeMb * 1024 ** 2 : Number.POSITIVE_INFINITY;
  const table = createObjectTable(options.folder, {
    maxObjectBytes,
    isCompleteRepeatable: () => settings.repeatedComplete === 'same-answer',
  });
  const handling: StorageHandlerContext = {
    table,
    signingKey,
    bucket: BUCKET,
    hashing: options.hashing,
    isDiscarding: options.isDiscarding,
    now: clock.now,
    idleMs: () => settings.requestTimeoutMs,
    maxBodyBytes: ({ kind }) =>
      kind === 'part' ? MAX_PART_BYTES : Math.min(options.maxSinglePieceBytes, maxObjectBytes()),
  };
  const listener = await openListener((request, response) => {
    const exchange = openExchange(request, response, {
      listener: 'storage',
      log: context.log,
      clock,
      settings,
    });
    const target = readStorageTarget(exchange.url, BUCKET);
    describe(exchange, target, context);
    serveSafely(exchange, () =>
      carryOut(exchange, (conditions) => storePut(exchange, target, conditions, handling), context),
    );
  }, options.port);
  const sign = (key: string, query?: [string, string][]) =>
    signUrl(
      {
        origin: listener.url,
        bucket: BUCKET,
        key,
        ...(query && { query }),
        at: clock.now(),
        lifetimeSeconds: settings.urlLifetimeSeconds,
      },
      signingKey,
    );
  return {
    ...tableCalls(table),
    ...listenerCalls(listener),
    ...signingCalls(sign),
    kind: 'embedded',
    url: listener.url,
  };
}

function listenerCalls({ offline, online }: { offline(): Promise<void>; online(): Promise<void> }) {
  return { offline, online, stop: offline };
}

function signingCalls(sign: (key: string, query?: [string, string][]) => string) {
  return {
    signPut: async (key: string) => sign(key),
    signPart: async (key: string, uploadId: string, partNumber: number) =>
      sign(key, [
        ['partNumber', String(partNumber)],
        ['uploadId', uploadId],
      ]),
  };
}

function tableCalls(
  table: ObjectTable,
): Omit<StorageBackend, 'kind' | 'url' | 'signPut' | 'signPart' | 'offline' | 'online' | 'stop'> {
  const blobOf = (key: string) => {
    const blob = table.objects.get(key);
    if (!blob) throw new Error(`Storage has no object ${key}.`);
    return blob;
  };
  return {
    createUpload: async (key) => table.openUpload(key),
    isUploadOpen: async (key, uploadId) => table.findUpload(key, uploadId) !== undefined,
    async completeUpload(key, uploadId, parts) {
      const blob = table.complete(key, uploadId, parts);
      return blob.ok ? ok({ etag: blob.value.etag }) : blob;
    },
    abortUpload: async (key, uploadId) =>
      table.abort(key, uploadId) ? ok(undefined) : err(storageFailure('NoSuchUpload')),
    hasObject: async (key) => table.objects.has(key),
    objects: async () =>
      [...table.objects].map(([key, { sizeBytes, etag, segments }]) => {
        const path = segments.length === 1 ? segments[0]?.path : undefined;
        return { key, sizeBytes, etag, ...(path !== undefined && { path }) };
      }),
    readObject: (key) => readBlob(blobOf(key)),
    sha256OfObject: async (key) => sha256OfBlob(blobOf(key)),
    openUploads: async () => table.openUploads(),
  };
}

function describe(
  { entry }: Exchange,
  target: StorageTarget | undefined,
  { ownerOf }: EmbeddedContext,
): void {
  if (!target) return;
  const owner = ownerOf(target.key);
  entry.call = target.kind === 'part' ? 'putPart' : 'putObject';
  entry.key = target.key;
  if (owner) {
    entry.incidentId = owner.incidentId;
    entry.fileId = owner.fileId;
    entry.fileIds = [owner.fileId];
  }
  if (target.kind === 'object') return;
  entry.partNumber = target.partNumber;
  entry.uploadId = target.uploadId;
}
