import type { Failure, RequestId } from '../../../shared/domain/failure.ts';
import { MIN_PART_BYTES } from '../../../shared/domain/settings.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { CLOSED_ADDRESS } from '../service/checked-lookup.ts';
import { tlsFailure } from '../service/failures.ts';
import type { PutOutcome } from '../service/signed-put-answer.ts';
import {
  classifyStorageAnswer,
  fileTooLarge,
  handlesUsedUp,
  isHandleShortage,
  storageNetwork,
} from '../core/failures/upload-failure.ts';
import { LARGEST_SINGLE_BYTES } from '../core/parts/plan-parts.ts';
import { withIds } from '../core/text/redact.ts';
import { agentPolicyOf, isFileWaitedFor, parseRetryAfter } from '../core/failures/failure-policy.ts';
import { openSource, type SourceRef } from '../files/source-file.ts';
import type { RootGates } from '../files/root-gate.ts';
import type { JobOutcome, RefusedOutcome, Step } from '../queue/outcome.ts';
import type { JobRow } from '../store/job-rows.ts';
import { parseFailure } from '../store/json-columns.ts';

/** How sending a range of a file ended. `stop` ends the job's run with that outcome. */
export type SendOutcome =
  | {
      readonly kind: 'stored';
      readonly etag: string;
      readonly sha256: string;
      readonly requestIds?: readonly RequestId[];
    }
  | { readonly kind: 'fresh-url'; readonly failure: Failure }
  | { readonly kind: 'no-such-upload'; readonly failure: Failure }
  | { readonly kind: 'stop'; readonly outcome: JobOutcome };

/** Connection problems that affect every upload alike; a reset in the middle of a body does not. */
const unreachable = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'CONNECT_TIMEOUT',
]);

/** The outcome of a job after a problem with its file, or with this program. */
export function fileOutcome(failure: Failure): JobOutcome {
  const isPassing = agentPolicyOf(failure.code).wait.kind === 'job';
  return isPassing ? { kind: 'retry', failure } : { kind: 'failed', failure };
}

/** Why a thumbnail is not sent that would need parts, which only clips may have (service.md "Limits"). */
export function thumbnailTooLarge(path: string, sizeBytes: number): Failure | undefined {
  if (sizeBytes <= LARGEST_SINGLE_BYTES) return undefined;
  const { message, ...failure } = fileTooLarge(sizeBytes, LARGEST_SINGLE_BYTES);
  return {
    ...failure,
    message: `Thumbnail ${visibleName(path)}: ${message} Its clip is sent without it.`,
    advice: 'Replace it with a smaller picture.',
  };
}

/**
 * Why a file cannot be sent now, as far as that is known before the service is asked for a URL: its root is away, or it
 * could not be read last time and still cannot be opened.
 */
export async function problemBefore(
  gates: RootGates,
  job: JobRow,
  source: SourceRef,
  signal: AbortSignal,
): Promise<Failure | undefined> {
  const problem = gates.of(source.rootPath).problem();
  const last = parseFailure(job.failure);
  if (problem !== undefined || last === undefined || !isFileWaitedFor(last.code)) return problem;
  const opened = await openSource(gates, source, signal);
  if (!opened.ok) return opened.error;
  opened.value.release();
  return undefined;
}

/** Where a range was sent, and its name in messages. */
export interface PutTarget {
  readonly step: Step;
  readonly host: string;
  readonly name: string;
  /** Of the range, bytes. */
  readonly length: number;
  readonly isThumbnail?: boolean | undefined;
}

type NotStored = Exclude<SendOutcome, { kind: 'stored' }>;

/** What a PUT without a stored answer means; undefined when storage confirmed that it has the bytes. */
export function putProblem(outcome: PutOutcome, target: PutTarget, nowMs: number): NotStored | undefined {
  const { step } = target;
  switch (outcome.kind) {
    case 'aborted':
      return { kind: 'stop', outcome: { kind: 'interrupted' } };
    case 'source':
      return { kind: 'stop', outcome: fileOutcome(outcome.failure) };
    case 'refused':
      return { kind: 'stop', outcome: { kind: 'refused', step, failure: outcome.failure } };
    case 'network':
      return { kind: 'stop', outcome: networkOutcome(outcome, target) };
    case 'answer':
      return answerProblem(outcome, target, nowMs);
  }
}

function networkOutcome(
  outcome: PutOutcome & { kind: 'network' },
  { step, host, name }: PutTarget,
): JobOutcome {
  if (outcome.code === CLOSED_ADDRESS) return { kind: 'refused', step, failure: closedHost(host) };
  if (isHandleShortage(outcome.code)) return fileOutcome(handlesUsedUp(outcome.code));
  const known = outcome.failure ?? tlsFailure(outcome.code, host, outcome.message);
  const isUnreached = outcome.sentBytes === 0 && unreachable.has(outcome.code);
  const failure =
    known ??
    (isUnreached
      ? noConnection(host, outcome.code, outcome.message)
      : storageNetwork(host, name, outcome.code, outcome.message));
  const refused: RefusedOutcome = { kind: 'refused', step, failure };
  if (known !== undefined || isUnreached) return refused;
  // A kept-alive connection that storage had just closed: retrying immediately costs nothing
  return outcome.wasReused ? { kind: 'retry', failure, delayMs: 0 } : { ...refused, provenBy: 2 };
}

const noConnection = (host: string, code: string, detail: string): Failure => ({
  code: 'NETWORK',
  message: `No connection to ${host} (${code}).`,
  advice: 'Check the network. The agent will retry automatically; nothing is lost.',
  retryable: true,
  detail,
});

/** Not a temporary network problem: the name resolves to an address where nothing may be sent. */
const closedHost = (host: string): Failure => ({
  code: 'URL_REFUSED',
  message: `The upload URL was refused: ${host} resolves to a private or reserved address.`,
  advice: `Send this text to the operator of the service. If this is your own storage, add ${host} to the allowed storage hosts (upload.hosts).`,
  retryable: false,
});

function answerProblem(
  answer: PutOutcome & { kind: 'answer' },
  target: PutTarget,
  nowMs: number,
): NotStored | undefined {
  const { step, name } = target;
  const retryAfterMs = parseRetryAfter(answer.retryAfter, nowMs);
  const decision = classifyStorageAnswer(
    {
      status: answer.status,
      text: answer.text,
      ...(answer.xmlCode === undefined ? {} : { xmlCode: answer.xmlCode }),
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      ...withIds(answer.requestIds),
    },
    name,
  );
  switch (decision.kind) {
    case 'stored':
      return undefined;
    case 'fresh-url':
      return { kind: 'fresh-url', failure: decision.failure };
    case 'no-such-upload':
      return { kind: 'no-such-upload', failure: decision.failure };
    case 'too-large': {
      const failure = requestTooLarge(decision.failure, target);
      return { kind: 'stop', outcome: { kind: 'failed', failure } };
    }
    case 'refused':
      return { kind: 'stop', outcome: { kind: 'refused', step, failure: decision.failure } };
  }
}

/**
 * The limit applies to one request. A clip that can be sent in smaller ones is not too large itself, so its code says
 * that a retry may succeed. Parts have at least `MIN_PART_BYTES`; a thumbnail is always sent whole.
 */
function requestTooLarge(failure: Failure, { step, length, isThumbnail }: PutTarget): Failure {
  if (isThumbnail === true) return { ...failure, advice: THUMBNAIL_TOO_LARGE };
  if (step !== 'part' && length <= MIN_PART_BYTES) return failure;
  const change =
    step === 'part'
      ? 'Choose a smaller part size in Settings, Uploads (upload.partSizeBytes)'
      : 'In Settings, Uploads, lower the size from which clips are sent in parts (upload.multipartThresholdBytes) and choose a small part size (upload.partSizeBytes)';
  return {
    ...failure,
    code: 'STORAGE_REJECTED',
    advice: `${change}, then retry the clip. If 5 MiB is too large as well, ask the operator of the service or the proxy administrator for a higher limit.`,
  };
}

const THUMBNAIL_TOO_LARGE =
  'The clip can be sent without it. To have a thumbnail as well, ask the operator of the service or the proxy administrator for a higher limit.';
