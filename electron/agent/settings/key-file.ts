import { constants, type Stats, readFileSync } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type Failure, type FailureCode, FailureError } from '../../../shared/domain/failure.ts';
import { handlesUsedUp, isHandleShortage } from '../core/failures/upload-failure.ts';
import { parseKey } from '../core/settings/check-connection.ts';
import { areCredentials } from '../core/settings/choose-proxy.ts';
import type { Secrets, KeyOrigins } from '../ports.ts';
import { fileAdvice, systemCode } from './file-advice.ts';
import { createReread } from './reread-file.ts';
import { findIntruder, type Intruder, OWNER_ONLY, replaceFile } from './guarded-path.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';

/** Largest file with a secret, bytes: 512 characters plus white space. */
const LARGEST_FILE_BYTES = 4096;
/** Permission bits of group and others. */
const OTHERS_MODE = 0o077;

/** Where the headless host finds the key: never the command line and never an environment variable. */
export interface KeyPlaces {
  /** `apiKeyFile` of the settings, absolute. */
  readonly apiKeyPath?: string;
  /** The folder in which systemd puts credentials (`LoadCredential=api-key:...`). */
  readonly credentialsDirectory?: string;
  /** Numeric id of the account that runs this program; undefined on Windows, which has no modes. */
  readonly userId?: number;
  /** Where a key's permitted origin is recorded if nothing can be written beside its file, absolute. */
  readonly originFile?: string;
}

/** Name of the credential in a credentials directory. */
const CREDENTIAL_NAME = 'api-key';

/** Secrets of the headless host: the file is checked on every request, so a replaced key takes effect immediately. */
export function createKeyFileSecrets({ apiKeyPath: firstPath, originFile, ...others }: KeyPlaces): Secrets {
  let apiKeyPath = firstPath;
  const { userId, credentialsDirectory } = others;
  const readOwn = createReread((file) => readKey(file, { userId }));
  // The service manager owns these files and guards their folder: owner and mode mean nothing here.
  const readCredential = createReread((file) => readKey(file, { userId: undefined }, credentialWords));
  return {
    origins: createKeyOrigins(
      () => [
        ...(apiKeyPath === undefined ? [] : [originFileOf(apiKeyPath)]),
        ...(originFile === undefined ? [] : [originFile]),
      ],
      () => apiKeyPath === undefined && credentialsDirectory !== undefined,
    ),
    async apiKey() {
      if (apiKeyPath !== undefined) return readOwn(apiKeyPath);
      if (credentialsDirectory === undefined) return undefined;
      return readCredential(join(credentialsDirectory, CREDENTIAL_NAME));
    },
    useFile: (file) => {
      apiKeyPath = file;
    },
    proxyCredentials: (file) => readProxyCredentials(file, others),
  };
}

async function readKey(file: string, guard: Guard, words = keyWords): Promise<string> {
  const text = await readGuardedFile(file, guard, words);
  const key = parseKey(text);
  if (key.ok) return key.value;
  throw new FailureError({ ...key.error, message: `${key.error.message} The file is ${file}.` });
}

async function readProxyCredentials(
  file: string,
  { userId, credentialsDirectory }: KeyPlaces,
): Promise<string> {
  const isCredential = credentialsDirectory !== undefined && dirname(file) === credentialsDirectory;
  const words = isCredential ? proxyCredentialWords(file) : proxyWords;
  const text = await readGuardedFile(file, { userId: isCredential ? undefined : userId }, words);
  const credentials = text.replace(/^\uFEFF/, '').trim();
  if (areCredentials(credentials)) return credentials;
  throw new FailureError({
    code: 'PROXY_AUTH',
    message: `The proxy credentials file ${file} must contain a single line, name:password.`,
    advice: words.advice,
    retryable: false,
  });
}

const keyWords: GuardedFileWords = {
  name: 'The key file',
  kind: 'key file',
  codes: { missing: 'KEY_MISSING', open: 'KEY_FILE_OPEN' },
  advice:
    "Put the key, and nothing else, into a regular file that belongs to the agent's account; on macOS and Linux, with mode 0600 (chmod 600 FILE).",
};

/** Different advice for credentials: a person cannot write where the service manager puts them. */
const credentialWords: GuardedFileWords = {
  ...keyWords,
  advice: 'Set the credential "api-key" in the service manager that starts the agent.',
};

const proxyWords: GuardedFileWords = {
  name: 'The proxy credentials file',
  kind: 'proxy credentials file',
  codes: { missing: 'PROXY_AUTH', open: 'PROXY_AUTH' },
  advice:
    "Put name:password, and nothing else, into a regular file that belongs to the agent's account; on macOS and Linux, with mode 0600 (chmod 600 FILE).",
};

const proxyCredentialWords = (file: string): GuardedFileWords => ({
  ...proxyWords,
  advice: `Set the credential "${basename(file)}" to name:password in the service manager that starts the agent.`,
});

/** Words for describing problems with a file. */
interface GuardedFileWords {
  /** At the beginning of a sentence: "The key file". */
  readonly name: string;
  /** In the middle of one: "key file". */
  readonly kind: string;
  readonly codes: { readonly missing: FailureCode; readonly open: FailureCode };
  readonly advice: string;
}

/** Who may read a file with a secret. */
interface Guard {
  /** The account that must be its only reader; undefined: its location protects it. */
  readonly userId: number | undefined;
}

/** Reads a small file that nobody else can read. Rejects with a `FailureError` that names the file, never its text. */
async function readGuardedFile(file: string, { userId }: Guard, words: GuardedFileWords): Promise<string> {
  try {
    const before = await lstat(file);
    refuse(file, kindFault(before), words);
    const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
    await using handle = await open(file, flags);
    const facts = await handle.stat();
    // Checked again on the opened file: the name may have been given to another one in between
    refuse(file, kindFault(facts) ?? findOpen(facts, userId), words);
    const intruder = userId === undefined ? undefined : findIntruder(file, userId);
    if (intruder !== undefined) throw new FailureError(notGuarded(file, intruder, words));
    return await handle.readFile('utf8');
  } catch (error) {
    throw error instanceof FailureError ? error : openError(file, error, words);
  }
}

function kindFault(facts: Stats): string | undefined {
  if (facts.isSymbolicLink()) return 'is a link';
  if (facts.isDirectory()) return 'is a folder';
  if (!facts.isFile()) return 'is not a regular file';
  if (facts.size > LARGEST_FILE_BYTES) return `is larger than ${LARGEST_FILE_BYTES} bytes`;
  return undefined;
}

function findOpen(facts: Stats, userId: number | undefined): string | undefined {
  if (userId === undefined) return undefined;
  if (facts.uid !== userId) return 'belongs to another account';
  if ((facts.mode & OTHERS_MODE) === 0) return undefined;
  return `is accessible to other accounts (mode ${(facts.mode & 0o777).toString(8).padStart(4, '0')})`;
}

function refuse(file: string, fault: string | undefined, words: GuardedFileWords): void {
  if (fault === undefined) return;
  throw new FailureError(failureOf(words.codes.open, `${words.name} ${file} ${fault}.`, words));
}

/** The file itself is protected, but whoever can change a folder above it can replace it. */
const notGuarded = (file: string, { path, fault, command }: Intruder, words: GuardedFileWords): Failure => ({
  ...failureOf(words.codes.open, `${path}, a parent folder of the ${words.kind} ${file}, ${fault}.`, words),
  advice: `Run (as root if necessary): ${command}`,
});

function openError(file: string, error: unknown, words: GuardedFileWords): FailureError {
  const code = systemCode(error);
  if (isHandleShortage(code)) return new FailureError(handlesUsedUp(code), { cause: error });
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return new FailureError(failureOf(words.codes.missing, `There is no ${words.kind} at ${file}.`, words), {
      cause: error,
    });
  const what = code === 'ELOOP' ? 'is a link' : `cannot be read (${code})`;
  const advice = fileAdvice(code, words.advice);
  return new FailureError(failureOf(words.codes.open, `${words.name} ${file} ${what}.`, { advice }), {
    cause: error,
  });
}

const failureOf = (
  code: FailureCode,
  message: string,
  { advice }: Pick<GuardedFileWords, 'advice'>,
): Failure => ({
  code,
  message,
  advice,
  retryable: false,
});

/** Digits of the SHA-256 that identifies a key: a key cannot be derived from them, and no two keys share them. */
const KEY_DIGITS = 32;

/** The permitted origin of each key. */
const originsSchema = z.record(z.string(), z.string());
type Origins = z.infer<typeof originsSchema>;

/** The file beside a key file with the record of origins. */
export const originFileOf = (keyFile: string): string => `${keyFile}.origin`;

/**
 * Restricts each key to one origin, recorded with mode 0600 in the first of `files` that can be written. The first
 * origin that a key is used for becomes its own; another one needs `trust` or, if only the service manager has the key,
 * that the record is deleted.
 */
export function createKeyOrigins(
  files: () => readonly string[],
  isCredential: () => boolean = () => false,
): KeyOrigins {
  const remedy = (file: string, origin: string): string =>
    isCredential()
      ? `delete ${file}`
      : `run "vms-export-agent key trust ${origin}" or enter the key again in Settings`;
  return {
    async check(key, origin) {
      for (const file of files()) {
        const origins = readNote(file);
        if (origins === 'damaged') return damagedNote(file, origin, remedy(file, origin));
        if (origins === 'no-handles') return noHandles;
        const own = origins?.[nameOf(key)];
        if (own !== undefined)
          return own === origin ? undefined : otherOrigin(own, origin, remedy(file, origin));
      }
      const noted = await note(files(), key, origin);
      return noted.ok ? undefined : noted.error;
    },
    trust: (key, origin) => note(files(), key, origin),
  };
}

/** Not salted, so the same after a restart; an API key is long and random, so nobody can guess it from this. */
const nameOf = (key: string): string => createHash('sha256').update(key).digest('hex').slice(0, KEY_DIGITS);

const noHandles = handlesUsedUp('EMFILE');

/** Undefined: there is none. A record that another account could have written is not trusted. */
function readNote(file: string): Origins | 'damaged' | 'no-handles' | undefined {
  try {
    const text = readFileSync(file, 'utf8');
    if (findIntruder(file) !== undefined) return 'damaged';
    const parsed = originsSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : 'damaged';
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (isHandleShortage(code)) return 'no-handles';
    return code === 'ENOENT' ? undefined : 'damaged';
  }
}

async function note(files: readonly string[], key: string, origin: string): Promise<Result<void, Failure>> {
  let reason = 'there is no place for it';
  for (const file of files) {
    const origins = readNote(file);
    // Rewriting the record without them would lose the other keys
    if (origins === 'no-handles') return err(noHandles);
    const known = origins === 'damaged' ? {} : origins;
    try {
      const text = JSON.stringify({ ...known, [nameOf(key)]: origin }, undefined, 2);
      await replaceFile(file, `${text}\n`, { rights: OWNER_ONLY });
      return ok(undefined);
    } catch (error) {
      reason = error instanceof Error && 'code' in error ? String(error.code) : String(error);
      if (isHandleShortage(reason)) return err(noHandles);
    }
  }
  return err(
    keyOrigin(
      `Could not record which service the API key is for (${reason}), so the key is not sent.`,
      `Make sure that the disk has free space and that the agent's account can write to ${files.join(' or ')}.`,
    ),
  );
}

const otherOrigin = (own: string, origin: string, remedy: string): Failure =>
  keyOrigin(
    `The API key belongs to ${own}, but the settings point to ${origin}. Nothing was sent.`,
    `If ${origin} is right, ${remedy}. Otherwise, correct the service address (baseUrl).`,
  );

const damagedNote = (file: string, origin: string, remedy: string): Failure =>
  keyOrigin(
    `The record of where the API key may be sent, ${file}, cannot be read or trusted. Nothing was sent.`,
    `If the key is for ${origin}, ${remedy}. If this happens again, make sure that other accounts cannot change the file or its parent folders.`,
  );

const keyOrigin = (message: string, advice: string): Failure => ({
  code: 'KEY_ORIGIN',
  message,
  advice,
  retryable: true,
});
