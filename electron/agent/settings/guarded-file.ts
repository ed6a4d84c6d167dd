import { constants, type Stats } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import { FailureError } from '../../../shared/domain/failure-error.ts';
import type { Failure, FailureCode } from '../../../shared/domain/failure.ts';

/** Largest file with a secret, bytes: 512 characters and room for white space. */
const LARGEST_FILE_BYTES = 4096;
/** Bits of group and others. */
const OTHERS_MODE = 0o077;

/** How trouble with a file is told. */
export interface GuardedFileWords {
  /** At the beginning of a sentence: "The key file". */
  readonly name: string;
  /** In the middle of one: "key file". */
  readonly kind: string;
  readonly codes: { readonly missing: FailureCode; readonly open: FailureCode };
  readonly advice: string;
}

/** Who may read a file with a secret. */
export interface Guard {
  /** The account that must be its only reader; undefined: where it stands guards it. */
  readonly userId: number | undefined;
}

/** The text of a small file that nobody else can read. Rejects with a `FailureError` that names the file, not its text. */
export async function readGuardedFile(
  file: string,
  { userId }: Guard,
  words: GuardedFileWords,
): Promise<string> {
  try {
    const before = await lstat(file);
    refuse(file, kindFault(before), words);
    const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
    await using handle = await open(file, flags);
    const facts = await handle.stat();
    // Asked again of the opened file: the name may have been given to another one in between
    refuse(file, kindFault(facts) ?? findOpen(facts, userId), words);
    return await handle.readFile('utf8');
  } catch (error) {
    throw error instanceof FailureError ? error : openError(file, error, words);
  }
}

function kindFault(facts: Stats): string | undefined {
  if (facts.isSymbolicLink()) return 'is a link';
  if (facts.isDirectory()) return 'is a folder';
  if (!facts.isFile()) return 'is not an ordinary file';
  if (facts.size > LARGEST_FILE_BYTES) return `is larger than ${LARGEST_FILE_BYTES} bytes`;
  return undefined;
}

function findOpen(facts: Stats, userId: number | undefined): string | undefined {
  if (userId === undefined) return undefined;
  if (facts.uid !== userId) return 'belongs to another account';
  if ((facts.mode & OTHERS_MODE) === 0) return undefined;
  return `can be used by other accounts (mode ${(facts.mode & 0o777).toString(8).padStart(4, '0')})`;
}

function refuse(file: string, fault: string | undefined, words: GuardedFileWords): void {
  if (fault === undefined) return;
  throw new FailureError(failureOf(words.codes.open, `${words.name} ${file} ${fault}.`, words));
}

function openError(file: string, error: unknown, words: GuardedFileWords): FailureError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return new FailureError(failureOf(words.codes.missing, `There is no ${words.kind} ${file}.`, words), {
      cause: error,
    });
  const what = code === 'ELOOP' ? 'is a link' : `cannot be read (${code})`;
  return new FailureError(failureOf(words.codes.open, `${words.name} ${file} ${what}.`, words), {
    cause: error,
  });
}

const failureOf = (code: FailureCode, message: string, { advice }: GuardedFileWords): Failure => ({
  code,
  message,
  advice,
  retryable: false,
});
