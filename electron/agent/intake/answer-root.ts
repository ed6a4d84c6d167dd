import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Failure } from '../../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { DATABASE_FILE, openDb } from '../store/open-db.ts';
import type { RootAnswer } from '../store/desk-rows.ts';
import { createTables, type Tables } from '../store/tables.ts';

/** Answers whether a watched folder holds the evidence that was sent before; false when no question is open. */
export function answerRoot(
  { roots, write }: Pick<Tables, 'roots' | 'write'>,
  folder: string,
  answer: RootAnswer,
): boolean {
  return write(() => roots.answer(folder, answer));
}

/**
 * `answerRoot` for a data directory, beside the agent that may be running on it, which notices within a second.
 * Errors: NOT_FOUND when no question is open; those of `openDb`.
 */
export async function answerStoredRoot(
  dataDir: string,
  folder: string,
  answer: RootAnswer,
): Promise<Result<void, Failure>> {
  const file = join(dataDir, DATABASE_FILE);
  if (!existsSync(file)) return err(nobodyAsked(folder));
  const opened = openDb(file);
  if (!opened.ok) return opened;
  try {
    const isAnswered = answerRoot(createTables(opened.value), folder, answer);
    return isAnswered ? ok(undefined) : err(nobodyAsked(folder));
  } finally {
    opened.value.close();
  }
}

const nobodyAsked = (folder: string): Failure => ({
  code: 'NOT_FOUND',
  message: `There is no open question about ${visibleName(folder)}.`,
  advice: 'Name the folder as in the settings. Health shows what is waiting for an answer.',
  retryable: false,
});
