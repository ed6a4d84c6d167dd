import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkNativeModule } from '../../../../electron/desktop/security/native-module.ts';
import { nativeChecksums } from '../../../../electron/desktop/security/native-module.ts';
import { nativeDigest } from '../../../../electron/desktop/security/native-module.ts';

const shipped = new URL('../../../../node_modules/better-sqlite3/prebuilds/', import.meta.url);
const WINDOWS = new URL('win32-x64.node', shipped);
const LINUX = new URL('linux-x64.node', shipped);

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'native-module-'));
});
afterAll(() => rm(folder, { recursive: true }));

/**
 * Where signing writes into a Windows program: the checksum, and the entry with the signature's position and length.
 */
function signingPlaces(bytes: Buffer): { readonly checksum: number; readonly entry: number } {
  const optional = bytes.readUInt32LE(0x3c) + 24;
  return { checksum: optional + 64, entry: optional + 144 };
}

/** A program as `signtool` leaves it. */
function signed(bytes: Buffer, signature = Buffer.from('a certificate, padded....')): Buffer {
  const copy = Buffer.concat([bytes, signature]);
  const { checksum, entry } = signingPlaces(copy);
  copy.writeUInt32LE(0x1234abcd, checksum);
  copy.writeUInt32LE(bytes.length, entry);
  copy.writeUInt32LE(signature.length, entry + 4);
  return copy;
}

/** A program with one bit flipped in the middle of its code. */
function patched(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  const at = Math.floor(copy.length / 2);
  copy.writeUInt8(copy.readUInt8(at) ^ 1, at);
  return copy;
}

async function check(platform: NodeJS.Platform, bytes: Buffer | undefined) {
  const file = join(folder, `${platform}-x64.node`);
  await rm(file, { force: true });
  if (bytes !== undefined) await writeFile(file, bytes);
  return checkNativeModule({ platform, arch: 'x64', folder: pathToFileURL(`${folder}/`) });
}

describe('the native module', () => {
  it.each([...nativeChecksums])('of %s is the one that the program knows', async (name, wanted) => {
    expect(nativeDigest(await readFile(new URL(`${name}.node`, shipped)))).toBe(wanted);
  });

  it('that lies beside this program is found and right', async () => {
    expect(
      await checkNativeModule({ platform: 'linux', arch: process.arch, folder: shipped }),
    ).toBeUndefined();
  });

  it.each([
    ['linux', LINUX],
    ['win32', WINDOWS],
  ] as const)('of %s is refused when a bit of it is another', async (platform, url) => {
    const bytes = await readFile(url);
    expect(await check(platform, bytes)).toBeUndefined();
    expect(await check(platform, patched(bytes))).toMatchObject({ code: 'PROGRAM_CHANGED' });
  });

  it.each([
    ['is missing', undefined],
    ['is empty', Buffer.alloc(0)],
    ['is a stub of a Windows program', Buffer.from('MZ')],
    ['names a header beyond its end', Buffer.from(`MZ${'\u00ff'.repeat(100)}`, 'latin1')],
  ])('is refused when it %s', async (_what, bytes) => {
    expect(await check('win32', bytes)).toMatchObject({ code: 'PROGRAM_CHANGED' });
  });

  it('of Windows may be signed after it was packed, and is refused when what is signed is another', async () => {
    const bytes = await readFile(WINDOWS);
    expect(await check('win32', signed(bytes))).toBeUndefined();
    expect(await check('win32', signed(patched(bytes)))).toMatchObject({ code: 'PROGRAM_CHANGED' });
  });

  it('of Windows is refused when it calls a part of its code a signature', async () => {
    const bytes = await readFile(WINDOWS);
    bytes.writeUInt32LE(4096, signingPlaces(bytes).entry);
    expect(await check('win32', bytes)).toMatchObject({ code: 'PROGRAM_CHANGED' });
  });

  it('is loaded by the first database and not before, so that the check comes in time', async () => {
    const script = `let loads = 0;
      const { dlopen } = process;
      process.dlopen = (...args) => ((loads += 1), dlopen.apply(process, args));
      const { default: Database } = await import('better-sqlite3');
      const before = loads;
      new Database(':memory:').close();
      console.log(before, loads);`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
    expect(stdout.trim()).toBe('0 1');
  });

  it('of macOS is left to the system, which loads only what its maker signed', async () => {
    expect(await check('darwin', Buffer.from('anything'))).toBeUndefined();
    const entitlements = await readFile('build/entitlements.mac.plist', 'utf8');
    expect(entitlements).not.toMatch(/disable-library-validation|allow-dyld-environment-variables/);
    expect(await readFile('build/entitlements.mac.inherit.plist', 'utf8')).toBe(entitlements);
  });
});
