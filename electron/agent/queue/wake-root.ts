import { setImmediate as nextTurn } from 'node:timers/promises';
import { failureCodes } from '../../../shared/domain/failure.ts';
import { isFileWaitedFor } from '../core/failures/failure-policy.ts';
import type { Clock } from '../ports.ts';
import type { Tables } from '../store/tables.ts';
import type { JobRunner } from './job-runner.ts';

/** Jobs of one transaction: it blocks the main loop for a few milliseconds. */
const JOBS_AT_ONCE = 1_000;

/** Failure codes of jobs that wait for their file or root. */
const waitedForCodes = failureCodes.filter(isFileWaitedFor);

interface Deps {
  readonly tables: Pick<Tables, 'jobs' | 'write'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly runner: Pick<JobRunner, 'wake'>;
}

/**
 * Makes everything that waits for a root due immediately once the root is back. Attempts are kept, and so is every wait
 * for another reason or another root. Safe to run twice.
 */
export async function wakeRoot({ tables, clock, runner }: Deps, rootId: string): Promise<void> {
  const { jobs } = tables;
  const now = clock.now();
  let woken = 0;
  let after = 0;
  for (let last = jobs.pageEnd(0, JOBS_AT_ONCE); last !== undefined;) {
    const page = { after, last };
    woken += tables.write(() => jobs.readyOfRoot(page, { id: rootId, codes: waitedForCodes }, now));
    after = last;
    await nextTurn();
    last = jobs.pageEnd(after, JOBS_AT_ONCE);
  }
  if (woken > 0) runner.wake();
}
