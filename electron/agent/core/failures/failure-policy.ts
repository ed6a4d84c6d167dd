import type { FailureCode } from '../../../../shared/domain/failure.ts';

/**
 * How long the queue and the watcher wait. `never`: retrying does not help. `job`: only this job is retried, after 1,
 * 2, 4 ... s, at most `longestMs` (15 min), and given up after `tries`.
 * `circuit`: no job of that side starts except one probe after 1, 2, 4 ... s, at most 30 s, or every `everyMs`;
 * `isAsked`: the other side asked for the wait, so no answer to another call ends it early; `tries`: the failure may
 * concern this job alone, and then stops no others.
 * For a refusal by service or storage, `tries` counts only those between which others passed (service.md gap 33).
 * `held`: the file is held back, and accepted anyway after `ms`.
 */
export type Wait =
  | { readonly kind: 'never' }
  | { readonly kind: 'job'; readonly tries?: number; readonly longestMs?: number }
  | {
      readonly kind: 'circuit';
      readonly everyMs?: number;
      readonly isAsked?: true;
      readonly tries?: number;
    }
  | { readonly kind: 'held'; readonly ms: number };

/** Why a command ends; electron/cli/exit-codes.ts has the numbers. */
export type ExitReason = 'fault' | 'configuration' | 'keyRefused' | 'unreachable' | 'notFound' | 'dataInUse';

/** What the agent and the command line do about a failure, in addition to `shared/domain/failure-policy.ts`. */
export interface AgentPolicy {
  readonly wait: Wait;
  readonly exit: ExitReason;
  /**
   * What the file turned out to be: gone, not the one that was seen, left out on purpose, or there but unreadable at
   * present.
   */
  readonly file?: 'gone' | 'changed' | 'leftOut' | 'unreadable';
  /** Too much is running at once: for a while, only one batch of jobs runs at a time. */
  readonly slows?: true;
  /** A person decided it, so only a person undoes it: "retry all" leaves it out. */
  readonly isDecided?: true;
  /** Advice for a person whose own call failed, which is not retried. */
  readonly advice?: string;
}

const never: Wait = { kind: 'never' };
const circuit: Wait = { kind: 'circuit' };
/** The other side asked for fewer requests. */
const askedCircuit: Wait = { kind: 'circuit', isAsked: true };
/** Frequent retries do not help with a refused key or sign-in; both are read again at each probe. */
const refusedCircuit: Wait = { kind: 'circuit', everyMs: 15_000 };
/** A firewall may refuse one title, and another team may own one incident. */
const deniedCircuit: Wait = { kind: 'circuit', everyMs: 15_000, tries: 6 };
/** Passes without any action. */
const job: Wait = { kind: 'job' };
/** Does not recover after this many tries: a person should see it. */
const tries = (count: number): Wait => ({ kind: 'job', tries: count });
/**
 * Recorders reopen a container that ends early within minutes, at most hours. After six hours nobody will finish it,
 * and damaged evidence is better in the service, flagged, than only on this desk. Counted on the monotonic clock since
 * this process first saw the file, because a modification time may have been copied along.
 */
const heldIncomplete: Wait = { kind: 'held', ms: 6 * 60 * 60 * 1_000 };

/** For this PC and its folders: a retry costs nobody else anything, and a recovery should be noticed within 90 s. */
const soon: Wait = { kind: 'job', longestMs: 60_000 };

const fault: AgentPolicy = { wait: never, exit: 'fault' };
/** Disks, shares, permissions and locks may recover at any time: nothing is ever given up because of them. */
const unreadable: AgentPolicy = { wait: soon, exit: 'fault', file: 'unreadable' };
const configuration: AgentPolicy = { wait: never, exit: 'configuration' };
/** Something else is in the place of a root, or it is no longer watched, while its clips wait for it in the queue. */
const rootConfiguration: AgentPolicy = { wait: soon, exit: 'configuration' };

const policies: Readonly<Record<FailureCode, AgentPolicy>> = {
  NETWORK: { wait: circuit, exit: 'unreachable', advice: 'Check the network and try again.' },
  API_TIMEOUT: { wait: circuit, exit: 'unreachable', advice: 'Try again.' },
  API_REDIRECT: { wait: circuit, exit: 'unreachable' },
  API_NOT_JSON: { wait: circuit, exit: 'unreachable' },
  API_BAD_JSON: { wait: job, exit: 'unreachable' },
  API_EMPTY: { wait: job, exit: 'unreachable' },
  API_TOO_LARGE: { wait: job, exit: 'unreachable' },
  API_SHAPE: { wait: tries(4), exit: 'unreachable' },
  API_NUMBER: { wait: tries(3), exit: 'unreachable' },
  KEY_REFUSED: { wait: refusedCircuit, exit: 'keyRefused', advice: 'Save a valid API key and try again.' },
  PERMISSION_MISSING: {
    wait: deniedCircuit,
    exit: 'keyRefused',
    advice: 'Ask the operator of the service for this permission, then try again.',
  },
  VIDEO_PERMISSION_MISSING: { wait: deniedCircuit, exit: 'keyRefused' },
  NOT_FOUND: {
    wait: tries(5),
    exit: 'notFound',
    advice: 'It may have been deleted. Refresh the list, or check the ID.',
  },
  VALIDATION: { wait: tries(3), exit: 'fault' },
  INVALID_CHANNEL_USER: fault,
  METHOD_REFUSED: fault,
  CHANGED_ELSEWHERE: fault,
  API_PAGING: { wait: job, exit: 'unreachable' },
  API_ADDRESS: { wait: circuit, exit: 'unreachable' },
  RATE_LIMITED: { wait: askedCircuit, exit: 'unreachable', advice: 'Wait a moment, then try again.' },
  SERVICE_FAULT: {
    wait: circuit,
    exit: 'unreachable',
    advice: 'Try again. If this keeps happening, send the error text to the operator of the service.',
  },
  TLS_REFUSED: { wait: circuit, exit: 'unreachable' },
  PROXY_AUTH: { wait: refusedCircuit, exit: 'unreachable' },
  PROXY_REFUSED: { wait: circuit, exit: 'unreachable' },
  URL_REFUSED: { wait: tries(2), exit: 'unreachable' },
  URL_EXPIRED: { wait: tries(6), exit: 'unreachable' },
  STORAGE_DENIED: { wait: tries(4), exit: 'unreachable' },
  STORAGE_SIGNATURE: { wait: tries(3), exit: 'unreachable' },
  STORAGE_NO_UPLOAD: { wait: tries(6), exit: 'unreachable' },
  STORAGE_REJECTED: { wait: tries(3), exit: 'unreachable' },
  STORAGE_SLOW_DOWN: { wait: askedCircuit, exit: 'unreachable' },
  STORAGE_FAULT: { wait: job, exit: 'unreachable' },
  API_PARTS: { wait: tries(3), exit: 'unreachable' },
  API_ETAG: { wait: tries(3), exit: 'unreachable' },
  BYTES_DAMAGED: { wait: tries(3), exit: 'unreachable' },
  FILE_EMPTY: fault,
  FILE_LINK: { ...fault, file: 'leftOut' },
  FILE_NOT_REGULAR: { ...fault, file: 'leftOut' },
  FILE_HARDLINK: fault,
  FILE_CHANGED: { wait: tries(20), exit: 'fault', file: 'changed' },
  FILE_GONE: { ...fault, file: 'gone' },
  FILE_NO_ACCESS: unreadable,
  FILE_LOCKED: unreadable,
  FILE_OFFLINE: unreadable,
  FILE_NAME_UNREADABLE: fault,
  FILE_TYPE_MISMATCH: fault,
  FILE_SUM_DIFFERS: fault,
  FILE_TOO_LARGE: fault,
  FILE_INCOMPLETE: { wait: heldIncomplete, exit: 'fault' },
  FILE_READ: unreadable,
  FILE_SKIPPED: { ...fault, file: 'leftOut' },
  NO_PICTURE: fault,
  ROOT_MISSING: rootConfiguration,
  ROOT_NOT_FOLDER: rootConfiguration,
  ROOT_LINK: rootConfiguration,
  ROOT_FORBIDDEN: rootConfiguration,
  ROOT_OVERLAP: configuration,
  ROOT_OFFLINE: { wait: soon, exit: 'fault' },
  ROOT_HUNG: { wait: soon, exit: 'fault' },
  ROOT_SILENT: { wait: soon, exit: 'fault' },
  ROOT_DIFFERENT: fault,
  FOLDER_TOO_DEEP: fault,
  FOLDER_NO_ACCESS: fault,
  FOLDER_CYCLE: fault,
  EXPORT_NOT_RECOGNISED: fault,
  SIDECAR_UNREADABLE: fault,
  SIDECAR_ENCODING: fault,
  SIDECAR_TOO_LARGE: fault,
  SIDECAR_DUPLICATE_KEY: fault,
  SIDECAR_NUMBER: fault,
  SIDECAR_DATE: fault,
  SIDECAR_TOO_DEEP: fault,
  SIDECAR_PATH: fault,
  SIDECAR_SHAPE: fault,
  CONFIG_MISSING: configuration,
  CONFIG_BROKEN: configuration,
  CONFIG_UNKNOWN_KEY: configuration,
  CONFIG_RANGE: configuration,
  CONFIG_URL: configuration,
  CONFIG_PROXY: { wait: circuit, exit: 'configuration' },
  CONFIG_UNREADABLE: configuration,
  CONFIG_UNSAFE: configuration,
  // Something is missing on this desk: each probe looks again, without asking the service
  NOT_SET_UP: { wait: circuit, exit: 'configuration' },
  POLICY_INVALID: configuration,
  SETTING_MANAGED: fault,
  KEY_FORMAT: { wait: circuit, exit: 'keyRefused' },
  KEY_FILE_OPEN: { wait: circuit, exit: 'keyRefused' },
  KEY_MISSING: { wait: circuit, exit: 'keyRefused' },
  KEY_STORE: { wait: circuit, exit: 'keyRefused' },
  KEY_ORIGIN: { wait: circuit, exit: 'keyRefused' },
  DATA_IN_USE: { wait: never, exit: 'dataInUse' },
  DATA_FOLDER: fault,
  DATA_FOLDER_REMOTE: configuration,
  DB_FOREIGN: fault,
  DB_NEWER: fault,
  DB_BROKEN: fault,
  AUDIT_BROKEN: fault,
  DISK_FULL: fault,
  HANDLES_USED_UP: { wait: soon, exit: 'fault', slows: true },
  DISK_ERROR: fault,
  CANCELLED: { wait: job, exit: 'fault', isDecided: true },
  PORT_IN_USE: fault,
  PAGES_MISSING: fault,
  PROGRAM_CHANGED: fault,
  CALL_UNKNOWN: fault,
  CALL_INPUT: fault,
  CALL_FAULT: fault,
};

/** The policy for a failure with this code. */
export function agentPolicyOf(code: FailureCode): AgentPolicy {
  return policies[code];
}

/** The most attempts for a job that failed with this code; undefined: no limit. */
export function attemptLimit(code: FailureCode): number | undefined {
  const { wait } = policies[code];
  return wait.kind === 'job' || wait.kind === 'circuit' ? wait.tries : undefined;
}

/** The longest wait before the next try of a job that failed with this code, milliseconds. */
export function longestWaitMs(code: FailureCode): number {
  const { wait } = policies[code];
  return (wait.kind === 'job' ? wait.longestMs : undefined) ?? MAX_RETRY_DELAY_MS;
}

/**
 * Whether the file cannot be judged while this failure lasts, so that the job waits for the file, its root or this
 * program.
 */
export function isFileWaitedFor(code: FailureCode): boolean {
  return policies[code].wait === soon;
}

/** Shortest wait before a retry, milliseconds: a momentary fault is over by then. */
export const MIN_RETRY_DELAY_MS = 1_000;

/** Longest wait, milliseconds (15 min): a service that comes back is noticed within a coffee break. */
export const MAX_RETRY_DELAY_MS = 15 * 60 * 1_000;

/**
 * Longest wait that the other side may ask for, milliseconds (a day); a longer one is a mistake on its side
 * (service.md gap 26).
 */
export const MAX_RETRY_AFTER_MS = 24 * 60 * 60 * 1_000;

const HTTP_DATE =
  /^(?:[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT|[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4})$/;

/**
 * How long to wait after the `failures`th failure in a row (1 for the first): drawn evenly between 1 s and
 * 2, 4, 8 ... s, at most `longestMs` (15 min). `random` is in [0, 1).
 */
export function retryDelayMs(failures: number, random: number, longestMs = MAX_RETRY_DELAY_MS): number {
  const ceilingMs = Math.min(longestMs, MIN_RETRY_DELAY_MS * 2 ** Math.max(1, failures));
  const drawnMs = MIN_RETRY_DELAY_MS + random * (ceilingMs - MIN_RETRY_DELAY_MS);
  return Math.round(drawnMs);
}

/**
 * `Retry-After` in milliseconds, seconds or date form (service.md gap 26); at most a day. Undefined for anything
 * else. A date is compared with `nowMs`, which is on the other side's clock when its `Date` header is known.
 */
export function parseRetryAfter(text: string | undefined, nowMs: number): number | undefined {
  const trimmed = text?.trim() ?? '';
  if (/^\d+$/.test(trimmed)) return Math.min(Number(trimmed) * 1000, MAX_RETRY_AFTER_MS);
  if (!HTTP_DATE.test(trimmed)) return undefined;
  const atMs = Date.parse(trimmed.endsWith('GMT') ? trimmed : `${trimmed} GMT`);
  return Number.isNaN(atMs) ? undefined : Math.min(Math.max(0, atMs - nowMs), MAX_RETRY_AFTER_MS);
}
