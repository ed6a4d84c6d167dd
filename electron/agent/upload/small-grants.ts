import type { Failure } from '../../../shared/domain/failure.ts';
import type { Circuits } from '../queue/circuits.ts';
import { type JobOutcome, notBegun, serviceOutcome } from '../queue/outcome.ts';
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
type Granted =
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
  advice: 'It will retry automatically.',
  retryable: true,
};

/** Whether storage may have the bytes although it did not say so in the expected way. */
export function mayBeStored(outcome: JobOutcome): boolean {
  if (outcome.kind === 'interrupted') return true;
  if (outcome.kind !== 'refused' && outcome.kind !== 'retry') return false;
  const { status } = outcome.failure;
  return status === undefined || status < 300 || status >= 500;
}
