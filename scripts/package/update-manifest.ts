import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

/** One installer that an update may consist of. */
export interface UpdateFile {
  readonly name: string;
  /** Base64. */
  readonly sha512: string;
  readonly size: number;
}

/** What is signed: no version can pose as another, and no file as another file (docs/release.md). */
export interface UpdateManifest {
  readonly version: string;
  /** Percent of the desks that get it by now; missing: all. */
  readonly share?: number;
  readonly files: readonly UpdateFile[];
}

export interface SignedUpdateManifest extends UpdateManifest {
  /** Ed25519 over the canonical form of the rest; base64. */
  readonly signature: string;
}

/** Describes the installers of a release, by name. */
export function describeRelease(version: string, paths: readonly string[]): UpdateManifest {
  const files = paths.map((path) => {
    const content = readFileSync(path);
    const sha512 = createHash('sha512').update(content).digest('base64');
    return { name: basename(path), sha512, size: content.length };
  });
  return { version, files: files.toSorted((one, other) => (one.name < other.name ? -1 : 1)) };
}

/**
 * The bytes that the signature is over: JSON in UTF-8 without spaces, `version`, `share` if there is one, `files`, and in each file
 * `name`, `sha512`, `size`, files in the order in which they stand.
 */
export function canonicalManifest({ version, share, files }: UpdateManifest): Buffer {
  const plain = files.map(({ name, sha512, size }) => ({ name, sha512, size }));
  return Buffer.from(JSON.stringify({ version, share, files: plain }));
}

/** Signs with an Ed25519 key in PEM (PKCS 8). Throws when it is a key of another kind. */
export function signManifest(manifest: UpdateManifest, privateKeyPem: string): SignedUpdateManifest {
  const key = createPrivateKey(privateKeyPem);
  if (key.asymmetricKeyType !== 'ed25519')
    throw new Error(`The update key is ${key.asymmetricKeyType ?? 'of no kind'}, wanted Ed25519.`);
  const signature = sign(null, canonicalManifest(manifest), key).toString('base64');
  return { ...manifest, signature };
}

/** The public half in the form that the program has built in: the 32 bytes of the key, base64. */
export function publicHalf(privateKeyPem: string): string {
  const der = createPublicKey(createPrivateKey(privateKeyPem)).export({ type: 'spki', format: 'der' });
  return der.subarray(-32).toString('base64');
}

/**
 * Throws when the key that will sign is not the one whose public half is built in: every desk would refuse the release
 * for good. Without a key nothing is signed, and nothing is checked.
 */
export function checkUpdateKey(privateKeyPem: string | undefined, builtIn: string | undefined): void {
  if (privateKeyPem === undefined || privateKeyPem === '') return;
  const signing = publicHalf(privateKeyPem);
  if (signing !== builtIn)
    throw new Error(
      `UPDATE_PRIVATE_KEY signs for ${signing}, and the program has ${builtIn ?? 'no key'} built in ` +
        '(electron/desktop/updates/update-key.ts): no desk would take this release. See docs/release.md.',
    );
}

/**
 * Names under which the signed list lies on the feed, one for each channel that the version is for: a beta is for desks on
 * beta alone, any other version for all.
 */
export function manifestNames(version: string, platform: string): readonly string[] {
  const beta = `update-beta-${platform}.json`;
  return version.includes('-') ? [beta] : [`update-${platform}.json`, beta];
}
