/**
 * Signs what desks obey, with an Ed25519 key that only its owner has (docs/fleet.md, docs/release.md):
 * `npm run sign -- key FILE` makes one; `npm run sign -- policy KEY POLICY OUT` signs a policy for its address.
 */
import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { publicHalf } from './package/update-manifest.ts';

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

function makeKey(file: string): void {
  const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  // An older key is never written over: desks know its public half
  writeFileSync(file, pem, { mode: 0o600, flag: 'wx' });
  console.log(`${file}: private; keep it off the server.\npublicKey: ${publicHalf(pem)}`);
}

function run([what, ...files]: readonly string[]): void {
  const [first = '', policy = '', out = ''] = files;
  if (what === 'key' && files.length === 1) return makeKey(first);
  if (what !== 'policy' || files.length !== 3)
    throw new Error('Usage: npm run sign -- key FILE | policy KEY POLICY OUT');
  writeFileSync(out, signPolicy(readFileSync(policy, 'utf8'), readFileSync(first, 'utf8'), new Date()));
}

if (import.meta.main) {
  try {
    run(process.argv.slice(2));
  } catch (error) {
    console.error(error instanceof z.ZodError ? z.prettifyError(error) : error);
    process.exitCode = 1;
  }
}
