import { constants, type Stats } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import { join } from 'node:path';
import { FailureError } from '../../../shared/domain/failure-error.ts';
import type { Failure, FailureCode } from '../../../shared/domain/failure.ts';
import { parseKey } from '../core/parse-key.ts';
import type { Secrets } from '../ports.ts';

/** Where the headless host finds the key. Never the command line and never an environment variable. */
export interface KeyPlaces {
  /** `apiKeyFile` of the settings, absolute. */
  readonly apiKeyPath?: string;
  /** The folder in which systemd puts credentials (`LoadCredential=api-key:...`). */
  readonly credentialsDirectory?: string;
  /** Numeric id of the account that runs this program; undefined on Windows, which has no modes. */
  readonly userId?: number;
}

/** Name of the credential in a credentials directory. */
const CREDENTIAL_NAME = 'api-key';
/** Largest key file, bytes: a key of 512 characters and room for white space. */
const LARGEST_FILE_BYTES = 4096;
/** Bits of group and others. */
const OTHERS_MODE = 0o077;

/** Secrets of the headless host: the file is read at each question, so that a replaced key counts at once. */
export function createKeyFileSecrets({ apiKeyPath: firstPath, ...others }: KeyPlaces): Secrets {
  let apiKeyPath = firstPath;
  return {
    apiKey: () => readApiKey({ ...others, ...(apiKeyPath !== undefined && { apiKeyPath }) }),
    useFile: (file) => {
      apiKeyPath = file;
    },
  };
}

async function readApiKey(places: KeyPlaces): Promise<string | undefined> {
  if (places.apiKeyPath !== undefined) {
    const { userId } = places;
    return readKey(places.apiKeyPath, (facts) =>
      userId === undefined ? undefined : findOpen(facts, userId),
    );
  }
  if (places.credentialsDirectory === undefined) return undefined;
  // The service manager owns these files and guards their folder: neither owner nor mode says anything here.
  return readKey(join(places.credentialsDirectory, CREDENTIAL_NAME), () => undefined);
}

async function readKey(file: string, findFault: (facts: Stats) => string | undefined): Promise<string> {
  const text = await readGuarded(file, findFault);
  const key = parseKey(text);
  if (key.ok) return key.value;
  throw new FailureError({ ...key.error, message: `${key.error.message} The file is ${file}.` });
}

async function readGuarded(file: string, findFault: (facts: Stats) => string | undefined): Promise<string> {
  try {
    const before = await lstat(file);
    refuse(file, kindFault(before));
    const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
    await using handle = await open(file, flags);
    const facts = await handle.stat();
    // Asked again of the opened file: the name may have been given to another one in between
    refuse(file, kindFault(facts) ?? findFault(facts));
    return await handle.readFile('utf8');
  } catch (error) {
    throw error instanceof FailureError ? error : openError(file, error);
  }
}

function kindFault(facts: Stats): string | undefined {
  if (facts.isSymbolicLink()) return 'is a link';
  if (facts.isDirectory()) return 'is a folder';
  if (!facts.isFile()) return 'is not an ordinary file';
  if (facts.size > LARGEST_FILE_BYTES) return `is larger than ${LARGEST_FILE_BYTES} bytes`;
  return undefined;
}

function findOpen(facts: Stats, userId: number): string | undefined {
  if (facts.uid !== userId) return 'belongs to another account';
  if ((facts.mode & OTHERS_MODE) === 0) return undefined;
  return `can be used by other accounts (mode ${(facts.mode & 0o777).toString(8).padStart(4, '0')})`;
}

function refuse(file: string, fault: string | undefined): void {
  if (fault === undefined) return;
  throw new FailureError(keyFailure('KEY_FILE_OPEN', `The key file ${file} ${fault}.`, ADVICE));
}

function openError(file: string, error: unknown): FailureError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return new FailureError(keyFailure('KEY_MISSING', `There is no key file ${file}.`, ADVICE), {
      cause: error,
    });
  const what = code === 'ELOOP' ? 'is a link' : `cannot be read (${code})`;
  return new FailureError(keyFailure('KEY_FILE_OPEN', `The key file ${file} ${what}.`, ADVICE), {
    cause: error,
  });
}

const ADVICE =
  'Put the key, and nothing else, into an ordinary file that belongs to the account running this program, with mode 0600 (chmod 600 FILE).';

const keyFailure = (code: FailureCode, message: string, advice: string): Failure => ({
  code,
  message,
  advice,
  retryable: false,
});
