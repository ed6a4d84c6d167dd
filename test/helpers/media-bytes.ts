import type { MediaReader } from '../../electron/agent/files/containers/media-reader.ts';

/** A reader over bytes in memory that counts how it is used. */
export interface CountingReader extends MediaReader {
  readonly reads: () => number;
  readonly longest: () => number;
}

export const readerOf = (bytes: Uint8Array, sizeBytes = bytes.length): CountingReader => {
  let reads = 0;
  let longest = 0;
  return {
    sizeBytes,
    reads: () => reads,
    longest: () => longest,
    read: async (offset, length) => {
      reads += 1;
      longest = Math.max(longest, length);
      return bytes.subarray(offset, offset + length);
    },
  };
};

/** Big-endian numbers as bytes, for building files by hand. */
export const u32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
export const u64 = (value: bigint) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(value);
  return bytes;
};
