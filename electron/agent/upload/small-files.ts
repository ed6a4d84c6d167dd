/**
 * Where files in one piece are being sent is kept in the queue before the first byte: when an answer is lost, by the
 * line or by a kill, the file is sent to the same key again while its URL lives. A new URL has a new key, and the first
 * object would lie in storage without an incident that lists it. A signed URL never lies readable on the disk: it is
 * encrypted under a key derived from the API key, whose owner could ask for URLs anyway.
 */
import { SMALL_BYTES } from '../files/snapshot-file.ts';
import { fileId, thumbnailFileId, clipId as toClipId } from '../../../shared/domain/ids.ts';
import type { FileVersion } from '../core/settle/file-seen.ts';
import { thumbnailIn } from '../queue/incident-jobs.ts';
import type { JobRow } from '../store/job-rows.ts';
import type { Tables } from '../store/tables.ts';
import { type Failure, requestIdSchema } from '../../../shared/domain/failure.ts';
import type { Circuits } from '../queue/circuits.ts';
import { type JobOutcome, notBegun, serviceOutcome } from '../queue/outcome.ts';
import type { UploadGrant, UploadUrls } from './upload-urls.ts';
import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { withIds } from '../core/text/redact.ts';
import type { Secrets } from '../ports.ts';
import type { GroupCommit } from '../queue/group-commit.ts';
import type { ServiceClock } from '../service/service-clock.ts';
import type { GrantRow } from '../store/multipart-rows.ts';

/** A clip or thumbnail that goes in one piece. */
export interface SmallFile {
  readonly job: JobRow;
  readonly clipId: string;
  readonly isThumbnail: boolean;
  /** A thumbnail of our own, which can be made again. */
  readonly isMade: boolean;
  readonly fileId: string;
  readonly path: string;
  readonly serviceName: string;
  readonly version: FileVersion;
  readonly rootPath: string;
  readonly folder: string;
  readonly isFolderGone: boolean;
}

interface Deps {
  readonly tables: Pick<Tables, 'clips' | 'incidents' | 'thumbnails'>;
  /** Folder of the thumbnails that were made from clips. */
  readonly thumbnailsFolder: string;
}

/** The files that jobs of one incident are to send; a job without one was done already, or is no longer wanted. */
export function describeFiles(
  { tables, thumbnailsFolder }: Deps,
  jobs: readonly JobRow[],
): ReadonlyMap<JobRow, SmallFile> {
  const incident = jobs[0] && tables.incidents.byId(jobs[0].incidentId);
  const clips = new Map(
    tables.clips.byIds(jobs.map(({ subject }) => subject)).map((clip) => [clip.id, clip]),
  );
  const files = new Map<JobRow, SmallFile>();
  for (const job of jobs) {
    const clip = clips.get(job.subject);
    if (incident === undefined || clip === undefined) continue;
    const { rootPath, folder } = incident;
    const place = { job, clipId: clip.id, rootPath, folder, isFolderGone: incident.folderGone === 1 };
    if (job.kind === 'send-thumbnail') {
      const thumbnail = tables.thumbnails.byClip(clip.id);
      if (thumbnail?.state !== 'queued') continue;
      const { path, serviceName } = thumbnail;
      const id = thumbnailFileId(toClipId(clip.id));
      const isMade = thumbnail.origin === 'made';
      const own = isMade ? thumbnailIn(thumbnailsFolder) : {};
      const file = { isThumbnail: true, isMade, fileId: id, version: thumbnail };
      files.set(job, { ...place, ...own, ...file, path, serviceName });
    } else if (clip.state === 'queued') {
      const { path, serviceName } = clip;
      const file = { isThumbnail: false, isMade: false, fileId: fileId(clip.id), version: clip };
      files.set(job, { ...place, ...file, path, serviceName });
    }
  }
  return files;
}

/** It has grown since it was queued. */
export function isForParts({ isThumbnail, version }: SmallFile, thresholdBytes: number): boolean {
  return !isThumbnail && version.sizeBytes >= thresholdBytes;
}

/** Whether a thread reads the file whole: those of four batches that wait fit into 8 MiB. */
export const isSnapshot = ({ version: { sizeBytes } }: SmallFile): boolean =>
  sizeBytes > 0 && sizeBytes <= SMALL_BYTES;

interface AskDeps {
  readonly uploadUrls: UploadUrls;
  readonly circuits: Pick<Circuits, 'mayCall' | 'succeeded'>;
}

/** A file in one piece that needs a URL. */
interface AskedFile {
  readonly job: JobRow;
  readonly fileId: string;
  readonly serviceName: string;
}

/** What an answer to a request for upload URLs grants, or what became of the jobs that asked. */
type Granted =
  | { readonly ok: true; readonly grants: ReadonlyMap<string, Grant> }
  | { readonly ok: false; readonly outcome: JobOutcome };
/** The URL of one file, or why it has none. */
export type Grant =
  | { readonly ok: true; readonly value: UploadGrant }
  | { readonly ok: false; readonly error: Failure };

/** Asks for the URLs of several files of one incident in one call; of none, without a call. */
export async function askFor(
  deps: AskDeps,
  files: readonly AskedFile[],
  signal: AbortSignal,
): Promise<Granted> {
  const [first] = files;
  if (first === undefined) return { ok: true, grants: new Map() };
  if (!deps.circuits.mayCall('urls', first.job.subject)) return { ok: false, outcome: notBegun };
  const request = Object.fromEntries(files.map((file) => [file.fileId, { filename: file.serviceName }]));
  const answer = await deps.uploadUrls.ask(first.job.incidentId, request, undefined, signal);
  if (!answer.ok) {
    const outcome = serviceOutcome('urls', answer.error, signal);
    const isShared = outcome.kind === 'refused' && files.length > 1;
    return { ok: false, outcome: isShared ? { ...outcome, isShared } : outcome };
  }
  // An answer that grants none of several files is of no more use than none
  const granted = files.filter((file) => answer.value.get(file.fileId)?.ok === true);
  for (const file of granted) deps.circuits.succeeded('urls', file.job.subject);
  return { ok: true, grants: answer.value };
}

/** The failure API_SHAPE for a file that an answer leaves out. */
export const missingGrant: Failure = {
  code: 'API_SHAPE',
  message: 'Get upload URLs: the response does not mention a file that was requested.',
  advice: 'If this still fails after several automatic retries, tell the operator of the service.',
  retryable: true,
};

/** Whether storage may have the bytes although it did not say so in the expected way. */
export function mayBeStored(outcome: JobOutcome): boolean {
  if (outcome.kind === 'interrupted') return true;
  if (outcome.kind !== 'refused' && outcome.kind !== 'retry') return false;
  const { status } = outcome.failure;
  return status === undefined || status < 300 || status >= 500;
}

export function withGrants(files: readonly SmallFile[], grants: ReadonlyMap<string, Grant>) {
  return files.flatMap((file) => {
    const grant = grants.get(file.fileId);
    return grant?.ok === true ? [{ ...file, grant: grant.value }] : [];
  });
}

/** A version of a file that goes in one piece. */
interface KeptFor {
  readonly fileId: string;
  readonly version: Pick<FileVersion, 'sizeBytes' | 'mtimeNs'>;
}

/**
 * Where files in one piece are being sent is kept in the queue before the first byte: when an answer is lost, by the
 * line or by a kill, the file is sent to the same key again while its URL lives. A new URL has a new key, and the first
 * object would lie in storage without an incident that lists it. A signed URL never lies readable on the disk: it is
 * encrypted under a key derived from the API key, whose owner could ask for URLs anyway.
 */
export interface KeptGrants {
  /** The grants under which storage may have these files, by file id, while their URLs live. */
  of(files: readonly KeptFor[]): Promise<ReadonlyMap<string, UploadGrant>>;
  /** Resolves once they are stored durably; without an API key nothing is kept. */
  keep(grants: readonly (KeptFor & { readonly grant: UploadGrant })[]): Promise<void>;
  /** Storage does not have the file, or its clip knows that it does. To be called inside a transaction. */
  drop(file: KeptFor): void;
  /** Storage has bytes that the file no longer has: its next version goes to the same key. As `drop`. */
  reuse(file: KeptFor): void;
}

/** What is encrypted: the URL, and how the service named the answer that granted it. */
const sealedSchema = z.object({ url: z.string(), requestIds: z.array(requestIdSchema) });

interface KeepDeps {
  readonly tables: Pick<Tables, 'gathered' | 'grants'>;
  readonly groupCommit: GroupCommit;
  readonly secrets: Pick<Secrets, 'apiKey'>;
  readonly uploadUrls: Pick<UploadUrls, 'again'>;
  readonly serviceClock: Pick<ServiceClock, 'now'>;
}

/** Makes it. */
export function createKeptGrants({
  tables,
  groupCommit,
  secrets,
  uploadUrls,
  serviceClock,
}: KeepDeps): KeptGrants {
  async function sealer(): Promise<Sealer | undefined> {
    const apiKey = await secrets.apiKey().catch(() => undefined);
    return apiKey === undefined ? undefined : createSealer(apiKey);
  }

  const drop = tables.gathered('grants', (fileIds: readonly string[]) => tables.grants.remove(fileIds));

  function opened(row: GrantRow, open: Sealer['open']): UploadGrant | undefined {
    const text = open(row.sealedUrl, row.fileId);
    if (text === undefined) return undefined;
    const { url, requestIds } = sealedSchema.parse(JSON.parse(text));
    const grant = uploadUrls.again(row.storageKey, url, row.useUntil);
    return grant && { ...grant, ...withIds(requestIds) };
  }

  return {
    async of(files) {
      const grants = new Map<string, UploadGrant>();
      const now = serviceClock.now();
      const rows = tables.grants.ofFiles(files.map(({ fileId }) => fileId));
      const live = new Map(rows.filter(({ useUntil }) => now < useUntil).map((row) => [row.fileId, row]));
      const seal = live.size === 0 ? undefined : await sealer();
      for (const { fileId, version } of seal === undefined ? [] : files) {
        const row = live.get(fileId);
        const isMeant = row?.sizeBytes === -1 || (row && isSameVersion(row, version));
        const grant = isMeant === true && seal !== undefined ? opened(row, seal.open) : undefined;
        if (grant !== undefined) grants.set(fileId, grant);
      }
      return grants;
    },
    async keep(grants) {
      const seal = grants.length === 0 ? undefined : await sealer();
      if (seal === undefined) return;
      const rows = grants.flatMap(({ fileId, version: { sizeBytes, mtimeNs }, grant }) => {
        const [first] = grant.urls;
        if (first === undefined) return [];
        const { storageKey, requestIds = [] } = grant;
        const sealedUrl = seal.seal(JSON.stringify({ url: first.url.href, requestIds }), fileId);
        return [
          { fileId, sizeBytes, mtimeNs, storageKey, useUntil: Math.floor(first.useUntilMs), sealedUrl },
        ];
      });
      await groupCommit.commit(() => {
        tables.grants.removeLapsed(serviceClock.now());
        for (const row of rows) tables.grants.put(row);
      });
    },
    drop: ({ fileId }) => drop(fileId),
    reuse: ({ fileId }) => void tables.grants.forAnyVersion(fileId),
  };
}

function isSameVersion(row: GrantRow, version: KeptFor['version']): boolean {
  return row.sizeBytes === version.sizeBytes && row.mtimeNs === version.mtimeNs;
}

interface Sealer {
  seal(text: string, fileId: string): string;
  /** Undefined for what was sealed under another key, or for another file. */
  open(sealed: string, fileId: string): string | undefined;
}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
/** Made in one call, which costs as much for all of a batch as for one. */
const NONCES_AT_ONCE = 50;
const TAG_BYTES = 16;

function createSealer(apiKey: string): Sealer {
  const bytes = hkdfSync('sha256', apiKey, '', 'vms-export-agent: signed URLs at rest', 32);
  // From the bytes as they are, each cipher would make one of its own, at twice the time
  const key = createSecretKey(Buffer.from(bytes));
  let nonces = Buffer.alloc(0);
  return {
    seal(text, fileId) {
      if (nonces.length === 0) nonces = randomBytes(NONCE_BYTES * NONCES_AT_ONCE);
      const nonce = nonces.subarray(0, NONCE_BYTES);
      nonces = nonces.subarray(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(fileId));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64');
    },
    open(sealed, fileId) {
      const bytes = Buffer.from(sealed, 'base64');
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
      try {
        const decipher = createDecipheriv(CIPHER, key, nonce).setAAD(Buffer.from(fileId)).setAuthTag(tag);
        const body = bytes.subarray(NONCE_BYTES + TAG_BYTES);
        return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
      } catch {
        return undefined;
      }
    },
  };
}
