import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Failure } from '../../../shared/domain/failure.ts';

/**
 * `nativeDigest` of the better-sqlite3 native modules in our packages, by system and processor; a new version of it
 * needs new ones. None for macOS: its loader accepts only what the program's publisher signed.
 */
export const nativeChecksums: ReadonlyMap<string, string> = new Map([
  ['linux-arm64', 'bfa8c1f220b9430cb99c1197d5772e255aad3c90847572a202b29872ce1bcb4e'],
  ['linux-x64', '1a03a2916dd210925f8a074d460f0f7a2a28b1aeed2a1c3e2bf1a3b0322276cf'],
  ['win32-arm64', '12fd379eff6d1410c68bda06375bacd78f59ef4f443a2919e03d61ee75dd4845'],
  ['win32-x64', '5a4f4f1f4347d3a9ff54afa469bc8842a1a3e6fceed359066e8602e0bb4a0850'],
]);

/**
 * Offsets in a Windows program, bytes: the pointer to its header, and the fields of the optional header that signing
 * changes.
 */
const HEADER_AT = 0x3c;
const OPTIONAL_HEADER = 24;
const CHECKSUM = { at: 64, length: 4 };
/** The entry that locates the signature; 16 bytes further in a 64-bit program. */
const SIGNATURE_ENTRY = { at32: 128, at64: 144, length: 8 };
const MAGIC_64 = 0x20b;

/**
 * SHA-256 of a native module, as hex. For a Windows module, without what signing changes (the parts that the signature
 * itself leaves out): it is signed after the program that contains the checksum was packed.
 */
export function nativeDigest(bytes: Uint8Array): string {
  const hash = createHash('sha256');
  for (const part of signedParts(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)))
    hash.update(part);
  return hash.digest('hex');
}

function signedParts(bytes: Buffer): readonly Buffer[] {
  if (bytes.length < HEADER_AT + 4 || bytes.toString('latin1', 0, 2) !== 'MZ') return [bytes];
  const optional = bytes.readUInt32LE(HEADER_AT) + OPTIONAL_HEADER;
  if (optional + SIGNATURE_ENTRY.at64 + SIGNATURE_ENTRY.length > bytes.length) return [bytes];
  const is64 = bytes.readUInt16LE(optional) === MAGIC_64;
  const checksum = optional + CHECKSUM.at;
  const entry = optional + (is64 ? SIGNATURE_ENTRY.at64 : SIGNATURE_ENTRY.at32);
  const signature = bytes.readUInt32LE(entry);
  return [
    bytes.subarray(0, checksum),
    bytes.subarray(checksum + CHECKSUM.length, entry),
    bytes.subarray(entry + SIGNATURE_ENTRY.length, signature === 0 ? bytes.length : signature),
  ];
}

/** The module that this system loads. */
interface Target {
  readonly platform: NodeJS.Platform;
  readonly arch: string;
  /** Folder of the prebuilt modules; in a package it is outside the archive, whose checksum does not cover it. */
  readonly folder: URL;
}

/**
 * Returns what is wrong with the native module, if anything. Call it before the first use loads the module and runs its
 * code. Takes about 2 ms of the event loop. Errors: PROGRAM_CHANGED.
 */
export async function checkNativeModule({ platform, arch, folder }: Target): Promise<Failure | undefined> {
  const name = `${platform}-${arch}`;
  const wanted = nativeChecksums.get(name);
  if (wanted === undefined) return undefined;
  const file = fileURLToPath(new URL(`${name}.node`, folder));
  const bytes = await readFile(file).catch(() => undefined);
  return bytes !== undefined && nativeDigest(bytes) === wanted ? undefined : changed(file);
}

const changed = (file: string): Failure => ({
  code: 'PROGRAM_CHANGED',
  message: `Part of the program is missing, cannot be read or was replaced: ${file}.`,
  advice:
    'Reinstall the app. If this happens again, have this PC checked: something may be modifying its programs.',
  retryable: false,
});
