import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Failure } from '../../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import type { KeyOrigins } from '../ports.ts';
import { findIntruder } from './guarded-path.ts';
import { OWNER_ONLY, replaceFile } from './replace-file.ts';

/** Digits of the SHA-256 by which a key is known: no key can be found from them, and no two are alike. */
const KEY_DIGITS = 32;

/** Origins by the keys that may go to them. */
const originsSchema = z.record(z.string(), z.string());
type Origins = z.infer<typeof originsSchema>;

/** The note beside a key file. */
export const originFileOf = (keyFile: string): string => `${keyFile}.origin`;

/**
 * Keeps each key to one origin, in a note of mode 0600: in the first of `files` that can be written. The first origin
 * that a key is used for is its own; another one needs `trust`.
 */
export function createKeyOrigins(files: () => readonly string[]): KeyOrigins {
  return {
    async check(key, origin) {
      for (const file of files()) {
        const origins = readNote(file);
        if (origins === 'damaged') return damagedNote(file, origin);
        const own = origins?.[nameOf(key)];
        if (own !== undefined) return own === origin ? undefined : otherOrigin(own, origin);
      }
      const noted = await note(files(), key, origin);
      return noted.ok ? undefined : noted.error;
    },
    trust: (key, origin) => note(files(), key, origin),
  };
}

/** Unlike a salted one it is the same after a restart; an API key is long and random, so nobody can guess it from this. */
const nameOf = (key: string): string => createHash('sha256').update(key).digest('hex').slice(0, KEY_DIGITS);

/** Undefined: there is none. One that another account could have written says nothing that counts. */
function readNote(file: string): Origins | 'damaged' | undefined {
  try {
    const text = readFileSync(file, 'utf8');
    if (findIntruder(file) !== undefined) return 'damaged';
    const parsed = originsSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : 'damaged';
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? undefined : 'damaged';
  }
}

async function note(files: readonly string[], key: string, origin: string): Promise<Result<void, Failure>> {
  let reason = 'there is no place for it';
  for (const file of files) {
    const origins = readNote(file);
    const known = origins === 'damaged' ? {} : origins;
    try {
      const text = JSON.stringify({ ...known, [nameOf(key)]: origin }, undefined, 2);
      await replaceFile(file, `${text}\n`, { rights: OWNER_ONLY });
      return ok(undefined);
    } catch (error) {
      reason = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    }
  }
  return err(
    keyOrigin(
      `The service that the API key is for could not be written down (${reason}), so the key was sent nowhere.`,
      `Make one of these writable for the account that runs this program: ${files.join(', ')}.`,
    ),
  );
}

const otherOrigin = (own: string, origin: string): Failure =>
  keyOrigin(
    `The API key belongs to ${own}, but the settings name ${origin}. Nothing was sent.`,
    `If ${origin} is right, run "vms-export-agent key trust ${origin}" or enter the key again in Settings. Otherwise correct baseUrl.`,
  );

const damagedNote = (file: string, origin: string): Failure =>
  keyOrigin(
    `${file}, which says where the API key may go, cannot be read or relied on. Nothing was sent.`,
    `If the key is for ${origin}, run "vms-export-agent key trust ${origin}" or enter the key again in Settings.`,
  );

const keyOrigin = (message: string, advice: string): Failure => ({
  code: 'KEY_ORIGIN',
  message,
  advice,
  retryable: true,
});
