import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/** A page of a file that is overwritten is written completely or not at all, bytes. */
const PAGE_BYTES = 4096;

/** The writes of a recorder in order, each with its offset and bytes. */
export interface WrittenClip {
  readonly name: string;
  readonly writes: readonly { readonly offset: number; readonly bytes: Buffer }[];
  readonly whole: Buffer;
}

/** Clips with each write that ffmpeg made for them, as recorded by `scripts/make-fixtures.ts`. */
export const writtenClipNames = [
  'index-last.mp4',
  'index-first.mp4',
  'plain.mov',
  'plain.mkv',
  'cues-first.mkv',
  'plain.avi',
  'plain.asf',
] as const;

/** Reads one of these clips. */
export function writtenClip(name: (typeof writtenClipNames)[number]): WrittenClip {
  const url = new URL(`../fixtures/writes/${name}.json.gz`, import.meta.url);
  const traced = JSON.parse(gunzipSync(readFileSync(url)).toString()) as [number, string][];
  const writes = traced.map(([offset, text]) => ({ offset, bytes: Buffer.from(text, 'base64') }));
  let whole: Buffer = Buffer.alloc(0);
  for (const write of writes) whole = written(whole, write.offset, write.bytes);
  return { name, writes, whole };
}

/** The file as it is when its writer is interrupted within write `index`, after `length` bytes of it. */
export function interrupted({ writes }: WrittenClip, index: number, length: number): Buffer {
  let file: Buffer = Buffer.alloc(0);
  for (const { offset, bytes } of writes.slice(0, index)) file = written(file, offset, bytes);
  const next = writes[index];
  if (next === undefined) return file;
  const { offset, bytes } = next;
  const end = offset + length;
  const isAppended = end > file.length;
  const torn = isAppended ? end : Math.max(offset, end - (end % PAGE_BYTES));
  return written(file, offset, bytes.subarray(0, torn - offset));
}

function written(file: Buffer, offset: number, bytes: Uint8Array): Buffer {
  const longer = Buffer.alloc(Math.max(file.length, offset + bytes.length));
  file.copy(longer);
  longer.set(bytes, offset);
  return longer;
}
