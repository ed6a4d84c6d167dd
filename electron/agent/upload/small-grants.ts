import type { Failure } from '../../../shared/domain/failure.ts';
import type { FileVersion } from '../core/settle/file-seen.ts';
import type { Circuits } from '../queue/circuits.ts';
import { type JobOutcome, notBegun, serviceOutcome } from '../queue/outcome.ts';
import type { ServiceClock } from '../service/service-clock.ts';
import type { JobRow } from '../store/job-rows.ts';
import type { UploadGrant, UploadUrls } from './upload-urls.ts';

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
export type Granted =
  | { readonly ok: true; readonly grants: ReadonlyMap<string, Grant> }
  | { readonly ok: false; readonly outcome: JobOutcome };
/** The URL of one file, or why it has none. */
export type Grant =
  { readonly ok: true; readonly value: UploadGrant } | { readonly ok: false; readonly error: Failure };

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
  message: 'Get upload URLs: the answer does not mention a file that was asked for.',
  advice: 'It is tried again by itself.',
  retryable: true,
};

/** Grants that are remembered; beyond that the oldest are forgotten, at the price of an object that nobody lists. */
const MOST_KEPT = 2_000;

interface KeptFor {
  readonly fileId: string;
  readonly version: FileVersion;
}

/**
 * URLs under which storage may have a file although its answer was lost: the file is sent there again, because a new URL
 * has a new key, and the first object would lie in storage without an incident that lists it.
 */
export interface KeptGrants {
  /** Remembers the grant for this version of the file; without one, forgets it. */
  keep(file: KeptFor, grant: UploadGrant | undefined): void;
  /** The grant for this version of the file, while its URL lives. */
  of(file: KeptFor): UploadGrant | undefined;
}

/** Makes it, empty; in memory, because a signed URL is never written to disk. */
export function createKeptGrants(serviceClock: Pick<ServiceClock, 'now'>): KeptGrants {
  const grants = new Map<string, { readonly version: FileVersion; readonly grant: UploadGrant }>();
  return {
    keep({ fileId, version }, grant) {
      grants.delete(fileId);
      if (grant !== undefined) grants.set(fileId, { version, grant });
      const [oldest] = grants.keys();
      if (grants.size > MOST_KEPT && oldest !== undefined) grants.delete(oldest);
    },
    of({ fileId, version: { sizeBytes, mtimeNs } }) {
      const { version, grant } = grants.get(fileId) ?? {};
      const url = grant?.urls[0];
      if (url === undefined || serviceClock.now() >= url.useUntilMs) return undefined;
      return version?.sizeBytes === sizeBytes && version.mtimeNs === mtimeNs ? grant : undefined;
    },
  };
}

/** Whether storage may have the bytes although it did not say so in the expected way. */
export function mayBeStored(outcome: JobOutcome): boolean {
  if (outcome.kind === 'interrupted') return true;
  if (outcome.kind !== 'refused' && outcome.kind !== 'retry') return false;
  const { status } = outcome.failure;
  return status === undefined || status < 300 || status >= 500;
}
