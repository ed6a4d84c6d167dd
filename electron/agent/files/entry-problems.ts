import type { Failure } from '../../../shared/domain/failure.ts';
import { moreSkipped } from './file-failures.ts';

/** Problems named for one folder tree; a hundred thousand pipes would fill the log and help nobody. */
const MOST_NAMED = 100;

/** An entry that is not taken, and why. The path is relative to the export, or to the root for loose entries. */
export interface EntryProblem {
  readonly path: string;
  readonly failure: Failure;
}

/** Collects problems up to a bound, with a last one that says that there are more. */
export interface ProblemList {
  readonly list: readonly EntryProblem[];
  add(path: string, failure: Failure): void;
}

/** Makes an empty list. */
export function createProblemList(): ProblemList {
  const list: EntryProblem[] = [];
  return {
    list,
    add(path, failure) {
      if (list.length < MOST_NAMED) list.push({ path, failure });
      else if (list.length === MOST_NAMED) list.push({ path: '…', failure: moreSkipped(MOST_NAMED) });
    },
  };
}
