import { rm } from 'node:fs/promises';
import type { Failure } from '../../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';

/** Deletes the key file; one that is not there is deleted already. Errors: KEY_FILE_OPEN when it stays. */
export async function deleteKey(file: string): Promise<Result<void, Failure>> {
  try {
    await rm(file, { force: true });
    return ok(undefined);
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    return err({
      code: 'KEY_FILE_OPEN',
      message: `The key file ${file} cannot be deleted (${reason}); the key is still in use.`,
      advice: 'Delete it with an account that may write its folder.',
      retryable: true,
    });
  }
}
