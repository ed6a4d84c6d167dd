import { createHash } from 'node:crypto';

/** Offsets in a Windows program, bytes: where its header is named, and in the optional header what signing changes. */
const HEADER_AT = 0x3c;
const OPTIONAL_HEADER = 24;
const CHECKSUM = { at: 64, length: 4 };
/** The entry that tells where the signature lies; 16 bytes further in a program of 64 bits. */
const SIGNATURE_ENTRY = { at32: 128, at64: 144, length: 8 };
const MAGIC_64 = 0x20b;

/**
 * SHA-256 of a native module, as hex. Of a Windows module without what signing changes, which happens after the
 * program that knows the sum was packed: the same parts that its signature leaves out too.
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
