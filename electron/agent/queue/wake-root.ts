import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Tables } from '../store/tables.ts';
import type { Clock } from '../ports.ts';
import type { JobRunner } from './job-runner.ts';

/** Jobs that one transaction looks at: it holds the main loop for a few milliseconds. */
const JOBS_AT_ONCE = 1_000;

interface Parts {
  readonly tables: Pick<Tables, 'jobs' | 'write'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly runner: Pick<JobRunner, 'wake'>;
}

/**
 * A root that was away is back: what waits for it is due at once. Attempts stay, and so does every wait that has
 * another reason, or another root. Safe to run twice.
 */
export async function wakeRoot({ tables, clock, runner }: Parts, rootId: string): Promise<void> {
  const { jobs } = tables;
  const now = clock.now();
  let woken = 0;
  let after = 0;
  for (let last = jobs.pageEnd(0, JOBS_AT_ONCE); last !== undefined;) {
    const page = { after, last };
    woken += tables.write(() => jobs.readyOfRoot(page, rootId, now));
    after = last;
    await nextTurn();
    last = jobs.pageEnd(after, JOBS_AT_ONCE);
  }
  if (woken > 0) runner.wake();
}
