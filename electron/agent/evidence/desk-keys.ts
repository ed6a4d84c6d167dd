import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  verify,
  type KeyObject,
} from 'node:crypto';
import { join } from 'node:path';
import { fsPromises } from '../files/plain-fs.ts';
import { type Failure, FailureError } from '../../../shared/domain/failure.ts';
import { canonicalJson } from '../../../shared/lib/json-text.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import type { Clock, SigningKeyPlace, SigningKeyStore } from '../ports.ts';
import { fileAdvice, systemCode } from '../settings/file-advice.ts';
import { OWNER_ONLY, replaceFile } from '../settings/guarded-path.ts';
import type { DeskKeyRow } from '../store/desk-rows.ts';
import type { Tables } from '../store/tables.ts';

/** The key that this desk signs with: ECDSA on P-256 over SHA-256, which any openssl can verify. */
export interface DeskKey {
  /** SHA-256 of the public key (SubjectPublicKeyInfo, DER), lower-case hexadecimal. */
  readonly fingerprint: string;
  /** PEM. */
  readonly publicKey: string;
  readonly keptIn: SigningKeyPlace;
  /** Returns a signature in DER. */
  sign(bytes: Uint8Array): Buffer;
}

/** The keys of a desk. */
export interface DeskKeys {
  /**
   * The key in use; created if there is none. Rejects with `FailureError` KEY_STORE if the key store is locked: the key
   * exists in that case, so no other is created.
   */
  current(): Promise<DeskKey>;
  /** Replaces the key in use with a new one; the old key signs the change. Errors: KEY_STORE. */
  renew(): Promise<Result<DeskKey, Failure>>;
}

interface Deps {
  readonly store: SigningKeyStore;
  readonly tables: Pick<Tables, 'audit' | 'deskKeys' | 'write'>;
  readonly clock: Pick<Clock, 'now'>;
  /** Called when an earlier key is gone and another one replaced it without its signature. */
  readonly onLost: (lost: string, now: string) => void;
  /** False beside an agent whose key this process may be unable to read: then a missing key is not replaced. */
  readonly mayReplace?: boolean;
}

/** Creates the desk's keys from their store and the table of all keys that were in use. */
export function createDeskKeys({ store, tables, clock, onLost, mayReplace = true }: Deps): DeskKeys {
  let making: Promise<DeskKey> | undefined;

  async function load(): Promise<DeskKey> {
    const text = await store.load();
    const keptIn = await store.keptIn();
    if (text !== undefined) {
      const key = deskKey(readPrivateKey(text, keptIn), keptIn);
      enter(key, 'key.found');
      return key;
    }
    if (!mayReplace && tables.deskKeys.all().length > 0) throw new FailureError(keptElsewhere);
    return make(keptIn);
  }

  async function make(keptIn: SigningKeyPlace): Promise<DeskKey> {
    const pair = newPrivateKey();
    const stored = await store.store(privateText(pair));
    if (!stored.ok) throw new FailureError(stored.error);
    const key = deskKey(pair, keptIn);
    enter(key, 'key.made');
    return key;
  }

  /** Adds a key that the table does not have yet: the first one, or one that replaced another without its signature. */
  function enter({ fingerprint, publicKey, keptIn }: DeskKey, action: string): void {
    const lost = tables.write(() => {
      const known = tables.deskKeys.all();
      if (known.some((each) => each.fingerprint === fingerprint)) return undefined;
      const last = known.at(-1);
      const now = clock.now();
      tables.deskKeys.add({ fingerprint, publicKey, since: now, statement: null, signature: null });
      const detail = { key: fingerprint, keptIn, ...(last && { instead: last.fingerprint }) };
      tables.audit.note(now, last === undefined ? action : 'key.lost', detail);
      return last?.fingerprint;
    });
    if (lost !== undefined) onLost(lost, fingerprint);
  }

  // One at a time: two calls would create two keys
  function current(): Promise<DeskKey> {
    making ??= load().finally(() => {
      making = undefined;
    });
    return making;
  }

  return {
    current,
    async renew() {
      try {
        const old = await current();
        const pair = newPrivateKey();
        const next = deskKey(pair, old.keptIn);
        const since = clock.now();
        const statement = canonicalJson({
          at: new Date(since).toISOString(),
          key: next.fingerprint,
          replaces: old.fingerprint,
        });
        const signature = old.sign(Buffer.from(statement)).toString('base64');
        const { fingerprint, publicKey } = next;
        // Before the key is stored: a key in use that is not in the table would count as lost
        tables.write(() => {
          tables.deskKeys.add({ fingerprint, publicKey, since, statement, signature });
          tables.audit.note(since, 'key.changed', { key: fingerprint, instead: old.fingerprint, signature });
        });
        const stored = await store.store(privateText(pair));
        return stored.ok ? ok(next) : stored;
      } catch (error) {
        if (error instanceof FailureError) return err(error.failure);
        throw error;
      }
    },
  };
}

const keptElsewhere: Failure = {
  code: 'KEY_STORE',
  message:
    'The signing key of this desk is not in its data directory. The desktop app may keep it in the key store.',
  advice:
    'If so, save custody packs in the app; its key cannot be renewed on the command line. Otherwise, restore the key from a backup.',
  retryable: false,
};

const newPrivateKey = (): KeyObject => generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey;

const privateText = (key: KeyObject): string =>
  key.export({ type: 'pkcs8', format: 'der' }).toString('base64');

/** Reads PKCS 8 as base64, as it is stored, or PEM, as a person may have put it there. */
function readPrivateKey(text: string, keptIn: SigningKeyPlace): KeyObject {
  try {
    const key = text.includes('-----')
      ? createPrivateKey(text)
      : createPrivateKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'pkcs8' });
    if (key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key;
  } catch {
    // Reported below
  }
  const file =
    keptIn === 'file' ? `${KEY_FILE} in the data directory` : 'desk-key.json beside the settings file';
  throw new FailureError({
    code: 'KEY_STORE',
    message: "The desk's signing key cannot be read: it is not a valid P-256 key.",
    advice: `Restore ${file} from a backup or delete it, then restart the agent. Without it, the agent creates a new key and records that in the chain.`,
    retryable: false,
  });
}

function deskKey(key: KeyObject, keptIn: SigningKeyPlace): DeskKey {
  const publicKey = createPublicKey(key);
  return {
    fingerprint: fingerprintOf(publicKey),
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    keptIn,
    sign: (bytes) => sign('sha256', bytes, key),
  };
}

/**
 * SHA-256 of a public key, as shown by `openssl pkey -pubin -outform DER | sha256sum`. Throws if a string is not PEM.
 */
export function fingerprintOf(key: KeyObject | string): string {
  const publicKey = typeof key === 'string' ? createPublicKey(key) : key;
  return createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex');
}

/** Whether the signature (DER) was made with the key (PEM); false if that is not a valid key. */
export function isSignedBy(publicKey: string, bytes: Uint8Array, signature: Uint8Array): boolean {
  try {
    const key = createPublicKey(publicKey);
    return key.asymmetricKeyDetails?.namedCurve === 'prime256v1' && verify('sha256', bytes, key, signature);
  } catch {
    return false;
  }
}

/** Whether the previous key signed its replacement by this one. */
export function isChangeSigned(
  before: DeskKeyRow,
  { statement, signature, fingerprint }: DeskKeyRow,
): boolean {
  if (statement === null || signature === null) return false;
  const says = `"key":"${fingerprint}","replaces":"${before.fingerprint}"`;
  return (
    statement.includes(says) &&
    isSignedBy(before.publicKey, Buffer.from(statement), Buffer.from(signature, 'base64'))
  );
}

/** Name of the key file in the data directory. */
const KEY_FILE = 'desk-key.pem';
/** Permission bits of group and others. */
const OTHERS_MODE = 0o077;

/** Stores the key as a file in the data directory, mode 0600: for hosts without a key store. */
export function createKeyFileStore(dataDir: string): SigningKeyStore {
  const file = join(dataDir, KEY_FILE);
  return {
    async load() {
      try {
        const facts = await fsPromises.lstat(file);
        if (!facts.isFile()) throw new FailureError(badFile(file, 'is not a regular file', RESTORE_ADVICE));
        if (process.platform !== 'win32' && (facts.mode & OTHERS_MODE) !== 0)
          throw new FailureError(badFile(file, 'can be read by other accounts', OWNER_ADVICE));
        return await fsPromises.readFile(file, 'utf8');
      } catch (error) {
        if (error instanceof FailureError) throw error;
        const code = systemCode(error);
        if (code === 'ENOENT') return undefined;
        const advice = fileAdvice(code, OWNER_ADVICE);
        throw new FailureError(badFile(file, `cannot be read (${code})`, advice), { cause: error });
      }
    },
    async store(key) {
      const pem = createPrivateKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'pkcs8' });
      try {
        const text = pem.export({ type: 'pkcs8', format: 'pem' }).toString();
        await replaceFile(file, text, { rights: OWNER_ONLY });
        return ok(undefined);
      } catch (error) {
        const code = systemCode(error);
        return err(badFile(file, `cannot be written (${code})`, fileAdvice(code, WRITE_ADVICE)));
      }
    },
    keptIn: async () => 'file',
  };
}

const WRITE_ADVICE = "Check that the agent's account can write to the key's folder.";
const OWNER_ADVICE =
  "Make the agent's account its owner and only reader (on macOS and Linux: chown, then chmod 600), or restore it from a backup.";
const RESTORE_ADVICE = 'Move it elsewhere and restore the key file from a backup.';

const badFile = (file: string, what: string, advice: string): Failure => ({
  code: 'KEY_STORE',
  message: `The desk's signing key ${file} ${what}.`,
  advice: `${advice} Uploads continue.`,
  retryable: true,
});
