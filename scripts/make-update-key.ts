/**
 * Makes the pair of keys that updates are signed and checked with: `npm run update-key FILE`. The private half goes to
 * FILE, the public one into the program. docs/release.md says where to keep it.
 */
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { publicHalf } from './package/update-manifest.ts';

const KEY_FILE = 'electron/desktop/updates/update-key.ts';
const CONSTANT = /(export const updatePublicKey: string \| undefined =)\s*(?:undefined|'[^']*');/;

function makeKey(file: string): void {
  if (`${resolve(file)}${sep}`.startsWith(resolve('.') + sep))
    throw new Error('The private key must not lie in the project: name a file elsewhere.');
  const source = readFileSync(KEY_FILE, 'utf8');
  if (!CONSTANT.test(source)) throw new Error(`${KEY_FILE} has no place for the key.`);
  const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  // An older key is never written over: what it signed could not be followed by anything
  writeFileSync(file, pem, { mode: 0o600, flag: 'wx' });
  const publicKey = publicHalf(pem);
  writeFileSync(KEY_FILE, source.replace(CONSTANT, `$1 '${publicKey}';`));
  console.log(`${resolve(file)}: private; keep it as docs/release.md says.\n${KEY_FILE}: ${publicKey}`);
}

const [file] = process.argv.slice(2);
try {
  if (file === undefined) throw new Error('Usage: npm run update-key FILE');
  makeKey(file);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
