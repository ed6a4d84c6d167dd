import { writeFileSync } from 'node:fs';
import type { Failure } from '../../../shared/domain/failure.ts';
import type { WorkerThreads } from '../ports.ts';
import { suspectFile } from './open-db.ts';
import { brokenQueue } from './store-failures.ts';

/**
 * Checks a database that is too large to be checked before it is used, on a thread of its own. One that is damaged is
 * marked, so that the next opening sets it aside whenever that is, and handed to `onBroken`. Answers what ends the check.
 */
export function checkLater(
  file: string,
  threads: WorkerThreads,
  onBroken: (failure: Failure) => void,
): () => Promise<void> {
  const worker = threads.take(new URL('./check-worker.ts', import.meta.url));
  let ended: Promise<void> | undefined;
  const end = (isClean: boolean): Promise<void> => (ended ??= threads.giveBack(worker, isClean));
  worker.on('message', ({ damage }: { readonly damage?: string }) => {
    if (ended !== undefined) return;
    void end(true);
    if (damage === undefined) return;
    markSuspect(file);
    onBroken(brokenQueue(file, damage));
  });
  // What a thread cannot find the queue's own reads find
  worker.on('error', () => void end(false));
  worker.postMessage(file);
  return () => end(false);
}

/** The next opening looks at every page. A mark that cannot be made costs a check: damage is found by whoever meets it. */
export function markSuspect(file: string): void {
  try {
    writeFileSync(suspectFile(file), '');
  } catch {
    // As said
  }
}
