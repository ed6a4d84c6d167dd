import type { Failure } from '../../../shared/domain/failure.ts';
import { policyOf } from '../../../shared/domain/failure-policy.ts';
import { MAX_REASON_LENGTH, type TryReason } from '../../../shared/domain/upload-history.ts';
import { withIds } from '../core/text/redact.ts';

/** The two sides that jobs depend on; each can be paused for all jobs together. */
export type CircuitName = 'service' | 'storage';

/** The calls that jobs make, each judged separately: a service may answer one and refuse another. */
export type Step = 'get' | 'put' | 'abort' | 'urls' | 'create' | 'complete' | 'object' | 'part';

const circuits: Readonly<Record<Step, CircuitName>> = {
  get: 'service',
  put: 'service',
  abort: 'service',
  urls: 'service',
  create: 'service',
  complete: 'service',
  object: 'storage',
  part: 'storage',
};

/** The side that a call goes to. */
export function circuitOf(step: Step): CircuitName {
  return circuits[step];
}

/** A subject refused this often, with nobody in between: the whole step counts as refused, though nobody else tried. */
const ALONE_IN_A_ROW = 3;
/** No refusal is the subject's own until this long after its first: a bad minute may hit one and spare another. */
const OWN_AFTER_MS = 120_000;

/** How often a subject was refused at a step since it last passed. */
interface RefusalCount {
  readonly times: number;
  /** How many of its refusals came after others had passed the step since the refusal before. */
  readonly whileOthersPassed: number;
  /** True when this shows that the step refuses everyone, not only this subject. */
  readonly isEveryones: boolean;
  /** True when everyone refused since the last pass had been refused the same way before, while others passed. */
  readonly isAlone: boolean;
  /** True once it has lasted so long that a bad minute of the other side does not explain it. */
  readonly isLasting: boolean;
}

/** Which subjects were refused at which step, and which passed it meanwhile. In memory: a restart clears all counts. */
interface Refusals {
  passed(step: Step, subject: string): void;
  /** Counts another refusal and returns the current state. `status` is the answer's. */
  refused(step: Step, subject: string, status?: number): RefusalCount;
  /** How often in a row the subject was last refused with this status; 0 if its last refusal had another. */
  timesAlike(step: Step, subject: string, status: number | undefined): number;
  forget(step: Step, subject: string): void;
}

interface StepState {
  passes: number;
  /** Refusals since anyone passed. */
  inARow: number;
  first: string | undefined;
  /** Since then somebody was refused for whom this was new. */
  hasNew: boolean;
}

interface SubjectState {
  readonly sinceMs: number;
  times: number;
  status: number | undefined;
  timesAlike: number;
  whileOthersPassed: number;
  passesBefore: number;
}

const noRefusals = (passes: number): StepState => ({ passes, inARow: 0, first: undefined, hasNew: false });

/** Creates an empty record of refusals. `nowMs` is a monotonic clock. */
export function createRefusals(nowMs: () => number): Refusals {
  const steps = new Map<Step, StepState>();
  const subjects = new Map<string, SubjectState>();
  const keyOf = (step: Step, subject: string): string => `${step} ${subject}`;
  const stateOf = (step: Step): StepState => steps.get(step) ?? noRefusals(0);

  return {
    passed(step, subject) {
      steps.set(step, noRefusals(stateOf(step).passes + 1));
      subjects.delete(keyOf(step, subject));
    },
    refused(step, subject, status) {
      const state = stateOf(step);
      const { passes } = state;
      const first = state.first ?? subject;
      const inARow = state.inARow + 1;
      const before = subjects.get(keyOf(step, subject));
      const none = { times: 0, status, timesAlike: 0, whileOthersPassed: 0 };
      const mine = before ?? { ...none, sinceMs: nowMs(), passesBefore: passes };
      mine.times += 1;
      mine.timesAlike = mine.status === status ? mine.timesAlike + 1 : 1;
      mine.status = status;
      if (mine.passesBefore < passes) mine.whileOthersPassed += 1;
      mine.passesBefore = passes;
      const isKnown = mine.whileOthersPassed > 0 && mine.timesAlike > 1;
      const hasNew = state.hasNew || !isKnown;
      steps.set(step, { passes, inARow, first, hasNew });
      subjects.set(keyOf(step, subject), mine);
      return {
        times: mine.times,
        whileOthersPassed: mine.whileOthersPassed,
        isEveryones: first !== subject || inARow >= ALONE_IN_A_ROW,
        isAlone: !hasNew,
        isLasting: nowMs() - mine.sinceMs >= OWN_AFTER_MS,
      };
    },
    timesAlike(step, subject, status) {
      const mine = subjects.get(keyOf(step, subject));
      return mine?.status === status ? (mine?.timesAlike ?? 0) : 0;
    },
    forget: (step, subject) => void subjects.delete(keyOf(step, subject)),
  };
}

/** Called once the facts are durably stored, to announce them. */
export type AfterCommit = (() => void) | undefined;

/**
 * What became of one run of a job. `commit` writes the resulting facts in the same transaction as the job's own state,
 * so that "done" is never stored without them.
 * - `retry`: run this job again later, for a local reason; `progressed` resets its attempts.
 * - `refused`: service or storage did not do as asked. The circuits judge whose fault it is; no attempt is counted.
 * - `failed`: given up until someone retries it.
 * - `interrupted`: stopped on this side; `isBegun: false`: nothing was done yet.
 */
export type JobOutcome =
  | { readonly kind: 'done'; readonly commit?: () => AfterCommit }
  | {
      readonly kind: 'retry';
      readonly failure: Failure;
      readonly progressed?: boolean;
      readonly delayMs?: number;
      readonly commit?: () => AfterCommit;
    }
  | RefusedOutcome
  | { readonly kind: 'failed'; readonly failure: Failure; readonly commit?: () => AfterCommit }
  | { readonly kind: 'interrupted'; readonly isBegun?: false };

/** See `JobOutcome` and `Refusal`. */
export interface RefusedOutcome {
  readonly kind: 'refused';
  readonly step: Step;
  readonly failure: Failure;
  readonly provenBy?: 2;
  readonly isShared?: true;
  readonly commit?: () => AfterCommit;
}

/** The outcome with one more fact to be written in its transaction; an interrupted one writes none. */
export function alsoNoting(outcome: JobOutcome, note: () => void): JobOutcome {
  if (outcome.kind === 'interrupted') return outcome;
  const { commit } = outcome;
  return {
    ...outcome,
    commit() {
      note();
      return commit?.();
    },
  };
}

/** For a job whose next call the circuit does not let through: it goes back unchanged. */
export const notBegun: JobOutcome = { kind: 'interrupted', isBegun: false };

/** What a failed call of the service means for the job that made it. */
export function serviceOutcome(step: Step, failure: Failure, signal: AbortSignal): JobOutcome {
  if (signal.aborted) return { kind: 'interrupted' };
  // Not even sent: the name of its subject cannot be part of an address
  const isUnsent = failure.status === undefined && !failure.retryable;
  const isOwn = isUnsent && policyOf(failure.code).scope === 'call';
  return isOwn ? { kind: 'failed', failure } : { kind: 'refused', step, failure };
}

/** The part of a failure that the history of a clip or incident keeps. */
export function reasonOf({ code, message, status, requestIds }: Failure): TryReason {
  return {
    code,
    message: message.slice(0, MAX_REASON_LENGTH),
    ...(status === undefined ? {} : { status }),
    ...withIds(requestIds),
  };
}
