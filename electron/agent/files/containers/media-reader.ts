import type { MediaFacts } from '../../core/naming/file-content.ts';

/** Random access to a file's bytes. */
export interface MediaReader {
  readonly sizeBytes: number;
  /** Up to `length` bytes from `offset`; fewer only at the end of the file. The bytes are valid until the next read. */
  read(offset: number, length: number): Promise<Uint8Array>;
}

/** Reads small pieces of a file, mostly forwards, with few reads of the file itself. */
export interface Window {
  readonly sizeBytes: number;
  /** Exactly `length` bytes (at most `WINDOW_BYTES`) from `offset`; undefined when the file ends before. */
  at(offset: number, length: number): Promise<DataView | undefined>;
}

/** Bytes fetched at a time: many headers when boxes are small, little waste when they are far apart. */
export const WINDOW_BYTES = 4096;

/** Creates a window over a reader, which holds at most `WINDOW_BYTES`. */
export function createWindow(reader: MediaReader): Window {
  let start = 0;
  let held = new Uint8Array(0);
  const covers = (offset: number, length: number): boolean =>
    offset >= start && offset + length <= start + held.length;
  return {
    sizeBytes: reader.sizeBytes,
    async at(offset, length) {
      if (length > WINDOW_BYTES || offset < 0 || offset + length > reader.sizeBytes) return undefined;
      if (!covers(offset, length)) {
        held = new Uint8Array(await reader.read(offset, Math.min(WINDOW_BYTES, reader.sizeBytes - offset)));
        start = offset;
      }
      if (!covers(offset, length)) return undefined;
      return new DataView(held.buffer, held.byteOffset + offset - start, length);
    },
  };
}

/** Whether a container file is complete, and what its headers contain. */
export type Completeness =
  | ({ readonly kind: 'complete' } & MediaFacts)
  /** `reason` completes the sentence "The file is not complete: ...". */
  | { readonly kind: 'incomplete'; readonly reason: string }
  | { readonly kind: 'unknown-format' };
