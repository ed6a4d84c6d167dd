/**
 * Signs what desks accept, with an Ed25519 key that only its owner has (docs/fleet.md, docs/release.md):
 * `npm run sign -- key FILE` makes a key; `npm run sign -- policy KEY POLICY OUT` signs a policy for its address;
 * `npm run sign -- share KEY MANIFEST PERCENT` offers a release to that percentage of the desks;
 * `npm run update-key FILE` makes the key pair for updates: the private half goes to FILE, the public one into the
 * program.
 */
import { createPrivateKey, generateKeyPairSync, sign, createHash, createPublicKey } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve, sep, basename } from 'node:path';
import { z } from 'zod';

/** Prefix of a policy when it is signed. */
const PURPOSE = 'vms-export-agent policy\n';

const policySchema = z.strictObject({
  address: z.url({ protocol: /^https$/ }),
  sequence: z.int().min(1),
  issuedAt: z.iso.datetime().exactOptional(),
  validUntil: z.iso.datetime().exactOptional(),
  managed: z.record(z.string(), z.unknown()).exactOptional(),
  recommended: z.record(z.string(), z.unknown()).exactOptional(),
});

/** The signed document to publish. Throws when the policy or the key has the wrong form. */
export function signPolicy(policyText: string, privateKeyPem: string, now: Date): string {
  const key = createPrivateKey(privateKeyPem);
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('The key is not an Ed25519 key.');
  const parsed = policySchema.parse(JSON.parse(policyText));
  const policy = JSON.stringify({ ...parsed, issuedAt: parsed.issuedAt ?? now.toISOString() });
  const signature = sign(null, Buffer.from(PURPOSE + policy), key).toString('base64');
  return `${JSON.stringify({ policy, signature }, undefined, 2)}\n`;
}

const manifestSchema = z.object({
  version: z.string(),
  files: z.array(z.object({ name: z.string(), sha512: z.string(), size: z.int() })),
});

/** An installer of an update. */
interface UpdateFile {
  readonly name: string;
  /** Base64. */
  readonly sha512: string;
  readonly size: number;
}

/** The signed content: no version can pose as another, and no file as another file (docs/release.md). */
interface UpdateManifest {
  readonly version: string;
  /** Percentage of the desks that get it so far; if missing, all. */
  readonly share?: number;
  readonly files: readonly UpdateFile[];
}

interface SignedUpdateManifest extends UpdateManifest {
  /** Ed25519 signature of the canonical form of the rest; base64. */
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
 * The bytes that are signed: JSON in UTF-8 without spaces; `version`, `share` if present, `files`, and in each file
 * `name`, `sha512`, `size`, with the files in their given order.
 */
export function canonicalManifest({ version, share, files }: UpdateManifest): Buffer {
  const plain = files.map(({ name, sha512, size }) => ({ name, sha512, size }));
  return Buffer.from(JSON.stringify({ version, share, files: plain }));
}

/** Signs with an Ed25519 key in PEM (PKCS 8). Throws for any other kind of key. */
export function signManifest(manifest: UpdateManifest, privateKeyPem: string): SignedUpdateManifest {
  const key = createPrivateKey(privateKeyPem);
  if (key.asymmetricKeyType !== 'ed25519')
    throw new Error(
      `The update key must be an Ed25519 key, not ${key.asymmetricKeyType ?? 'of an unknown type'}.`,
    );
  const signature = sign(null, canonicalManifest(manifest), key).toString('base64');
  return { ...manifest, signature };
}

/** The public half in the form built into the program: the 32 bytes of the key, base64. */
export function publicHalf(privateKeyPem: string): string {
  const der = createPublicKey(createPrivateKey(privateKeyPem)).export({ type: 'spki', format: 'der' });
  return der.subarray(-32).toString('base64');
}

/**
 * Throws when the signing key does not match the public key built in: every desk would permanently refuse the release.
 * Without a key, nothing is signed or checked.
 */
export function checkUpdateKey(privateKeyPem: string | undefined, builtIn: string | undefined): void {
  if (privateKeyPem === undefined || privateKeyPem === '') return;
  const signing = publicHalf(privateKeyPem);
  if (signing !== builtIn)
    throw new Error(
      `UPDATE_PRIVATE_KEY belongs to the public key ${signing}, but the program contains ${builtIn ?? 'no key'} ` +
        '(electron/desktop/updates/update-key.ts). No desk would accept this release. See docs/release.md.',
    );
}

/**
 * File names of the signed manifest on the feed, one for each channel that the version is for: a beta only for the beta
 * channel, any other version for all.
 */
export function manifestNames(version: string, platform: string): readonly string[] {
  const beta = `update-beta-${platform}.json`;
  return version.includes('-') ? [beta] : [`update-${platform}.json`, beta];
}

/**
 * The manifest of a release for that percentage of the desks, 100 for all. Throws for an invalid number or manifest.
 */
export function signShare(manifestText: string, privateKeyPem: string, percent: string): string {
  const { version, files } = manifestSchema.parse(JSON.parse(manifestText));
  const share = z.coerce.number().int().min(0).max(100).parse(percent);
  const manifest = { version, ...(share < 100 && { share }), files };
  return `${JSON.stringify(signManifest(manifest, privateKeyPem), undefined, 2)}\n`;
}

/**
 * Makes a private key in `file` and returns its public half. Never overwrites an existing key: desks have its public
 * half.
 */
function makeKey(file: string): string {
  const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  writeFileSync(file, pem, { mode: 0o600, flag: 'wx' });
  return publicHalf(pem);
}

const UPDATE_KEY_FILE = 'electron/desktop/updates/update-key.ts';
const UPDATE_KEY = /(export const updatePublicKey: string \| undefined =)\s*(?:undefined|'[^']*');/;

function makeUpdateKey(file: string): void {
  if (`${resolve(file)}${sep}`.startsWith(resolve('.') + sep))
    throw new Error('The private key must not be inside the project. Name a file elsewhere.');
  const source = readFileSync(UPDATE_KEY_FILE, 'utf8');
  if (!UPDATE_KEY.test(source)) throw new Error(`${UPDATE_KEY_FILE} has no place for the key.`);
  const publicKey = makeKey(file);
  writeFileSync(UPDATE_KEY_FILE, source.replace(UPDATE_KEY, `$1 '${publicKey}';`));
  console.log(
    `${resolve(file)}: private; keep it as docs/release.md says.\n${UPDATE_KEY_FILE}: ${publicKey}`,
  );
}

const read = (file: string): string => readFileSync(file, 'utf8');

function run([what, ...files]: readonly string[]): void {
  const [key = '', file = '', last = ''] = files;
  if (what === 'key' && files.length === 1)
    return console.log(`${key}: private; keep it off the server.\npublicKey: ${makeKey(key)}`);
  if (what === 'update-key' && files.length === 1) return makeUpdateKey(key);
  if (what === 'policy' && files.length === 3)
    return writeFileSync(last, signPolicy(read(file), read(key), new Date()));
  if (what === 'share' && files.length === 3)
    return writeFileSync(file, signShare(read(file), read(key), last));
  throw new Error(
    'Usage: npm run update-key FILE | npm run sign -- key FILE | policy KEY POLICY OUT | share KEY MANIFEST PERCENT',
  );
}

if (import.meta.main) {
  try {
    run(process.argv.slice(2));
  } catch (error) {
    console.error(error instanceof z.ZodError ? z.prettifyError(error) : error);
    process.exitCode = 1;
  }
}
