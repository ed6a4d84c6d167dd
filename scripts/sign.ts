/**
 * Signs what desks obey, with an Ed25519 key that only its owner has (docs/fleet.md, docs/release.md):
 * `npm run sign -- key FILE` makes one; `npm run sign -- policy KEY POLICY OUT` signs a policy for its address;
 * `npm run sign -- share KEY MANIFEST PERCENT` gives a release to so many percent of the desks.
 */
import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { publicHalf, signManifest } from './package/update-manifest.ts';

/** What stands before a policy when it is signed. */
const PURPOSE = 'vms-export-agent policy\n';

const policySchema = z.strictObject({
  address: z.url({ protocol: /^https$/ }),
  sequence: z.int().min(1),
  issuedAt: z.iso.datetime().exactOptional(),
  validUntil: z.iso.datetime().exactOptional(),
  managed: z.record(z.string(), z.unknown()).exactOptional(),
  recommended: z.record(z.string(), z.unknown()).exactOptional(),
});

/** The document for the address. Throws when the policy or the key is of another form. */
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

/** The list of a release for so many percent of the desks, 100 for all. Throws for another number or form. */
export function signShare(manifestText: string, privateKeyPem: string, percent: string): string {
  const { version, files } = manifestSchema.parse(JSON.parse(manifestText));
  const share = z.coerce.number().int().min(0).max(100).parse(percent);
  const manifest = { version, ...(share < 100 && { share }), files };
  return `${JSON.stringify(signManifest(manifest, privateKeyPem), undefined, 2)}\n`;
}

function makeKey(file: string): void {
  const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  // An older key is never written over: desks know its public half
  writeFileSync(file, pem, { mode: 0o600, flag: 'wx' });
  console.log(`${file}: private; keep it off the server.\npublicKey: ${publicHalf(pem)}`);
}

const read = (file: string): string => readFileSync(file, 'utf8');

function run([what, ...files]: readonly string[]): void {
  const [key = '', file = '', last = ''] = files;
  if (what === 'key' && files.length === 1) return makeKey(key);
  if (what === 'policy' && files.length === 3)
    return writeFileSync(last, signPolicy(read(file), read(key), new Date()));
  if (what === 'share' && files.length === 3)
    return writeFileSync(file, signShare(read(file), read(key), last));
  throw new Error('Usage: npm run sign -- key FILE | policy KEY POLICY OUT | share KEY MANIFEST PERCENT');
}

if (import.meta.main) {
  try {
    run(process.argv.slice(2));
  } catch (error) {
    console.error(error instanceof z.ZodError ? z.prettifyError(error) : error);
    process.exitCode = 1;
  }
}
