/**
 * Whether a file's container proves that its writer has closed it: what is written last is present, and agrees with
 * what was written first. "No" is always safe: such a file waits as long as any other. The proofs of MP4 and Matroska
 * are in sample-tables.ts and read-matroska.ts.
 */
import type { Container } from '../../core/naming/file-kinds.ts';
import { WINDOW_BYTES, type MediaReader } from './media-reader.ts';
import { isMatroskaClosed } from './read-matroska.ts';
import { isMp4Closed } from './sample-tables.ts';

/** Places checked for zeros, besides the end. */
const HOLE_SAMPLES = 16;
/** Largest index that is read, bytes: that of a day-long AVI file. */
const MOST_INDEX_BYTES = 64 * 1024 * 1024;
/** Bytes of an index read at a time. */
const INDEX_PIECE_BYTES = 256 * 1024;

/** Whether files of this container can prove that they are closed. */
export function isProvable(container: Container): boolean {
  return container === 'mp4' || container === 'mkv' || container === 'avi' || container === 'asf';
}

/** Whether a file proves that it is closed. Rejects with the reader's errors. */
export async function isProvenClosed(reader: MediaReader, container: Container): Promise<boolean> {
  return (await isClosedAs(reader, container)) && !(await hasHole(reader));
}

async function isClosedAs(reader: MediaReader, container: Container): Promise<boolean> {
  if (container === 'mp4') return isMp4Closed(reader);
  if (container === 'mkv') return isMatroskaClosed(reader);
  if (container === 'avi') return isAviClosed(reader);
  return container === 'asf' && isAsfClosed(reader);
}

/** A copy that set the file's size first has zeros where no data has arrived yet; recordings never have that many. */
async function hasHole({ sizeBytes, read }: MediaReader): Promise<boolean> {
  const length = Math.min(WINDOW_BYTES, sizeBytes);
  const last = sizeBytes - length;
  for (let sample = HOLE_SAMPLES; sample >= 0; sample -= 1) {
    const bytes = await read(Math.floor((last * sample) / HOLE_SAMPLES), length);
    if (bytes.every((byte) => byte === 0)) return true;
  }
  return false;
}

interface Chunk {
  readonly id: string;
  /** Type of a `RIFF` or `LIST`, else empty. */
  readonly type: string;
  readonly bodyStart: number;
  readonly sizeBytes: number;
}

/**
 * Requires a single RIFF that ends with the file, with its index behind the data. The index gives the size of the
 * largest chunk of each stream, which writers enter into the header last. Files with several RIFFs are never proven
 * closed.
 */
async function isAviClosed(reader: MediaReader): Promise<boolean> {
  const [riff, more] = await chunksIn(reader, 0, reader.sizeBytes);
  if (riff?.type !== 'AVI ' || more !== undefined) return false;
  const chunks = await chunksIn(reader, riff.bodyStart, reader.sizeBytes);
  const [header, media] = ['hdrl', 'movi'].map((type) => chunks.find((chunk) => chunk.type === type));
  const index = chunks.findLast(({ id }) => id === 'idx1');
  if (header === undefined || media === undefined || index === undefined) return false;
  const streams = await readIndex(reader, index, media);
  return streams !== undefined && (await isHeaderFinal(reader, header, streams));
}

/** The chunks that exactly fill a range; empty when they do not. */
async function chunksIn(reader: MediaReader, start: number, end: number): Promise<readonly Chunk[]> {
  const chunks: Chunk[] = [];
  let offset = start;
  while (offset < end && chunks.length < 1000) {
    const bytes = await viewOf(reader, offset, 12);
    if (bytes === undefined) return [];
    const id = textAt(bytes, 0);
    const sizeBytes = bytes.getUint32(4, true);
    const isList = id === 'RIFF' || id === 'LIST';
    chunks.push({
      id,
      type: isList ? textAt(bytes, 8) : '',
      bodyStart: offset + (isList ? 12 : 8),
      sizeBytes,
    });
    offset += 8 + sizeBytes + (sizeBytes % 2);
  }
  return offset === end ? chunks : [];
}

/** Size of the largest chunk by stream number, bytes; undefined when the index does not match the media data. */
async function readIndex(
  reader: MediaReader,
  index: Chunk,
  media: Chunk,
): Promise<ReadonlyMap<number, number> | undefined> {
  const { sizeBytes, bodyStart } = index;
  if (sizeBytes === 0 || sizeBytes % 16 !== 0 || sizeBytes > MOST_INDEX_BYTES) return undefined;
  const largest = new Map<number, number>();
  let covered = 0;
  for (let at = 0; at < sizeBytes; at += INDEX_PIECE_BYTES) {
    const piece = await viewOf(reader, bodyStart + at, Math.min(INDEX_PIECE_BYTES, sizeBytes - at));
    if (piece === undefined) return undefined;
    for (let entry = 0; entry < piece.byteLength; entry += 16) {
      const stream = Number(textAt(piece, entry).slice(0, 2));
      const size = piece.getUint32(entry + 12, true);
      covered += 8 + size + (size % 2);
      if (size > (largest.get(stream) ?? -1)) largest.set(stream, size);
    }
  }
  // Indexes and lists inside the media data have no entries
  return covered <= media.sizeBytes && covered >= media.sizeBytes * 0.9 ? largest : undefined;
}

async function isHeaderFinal(
  reader: MediaReader,
  header: Chunk,
  largest: ReadonlyMap<number, number>,
): Promise<boolean> {
  const chunks = await chunksIn(reader, header.bodyStart, header.bodyStart + header.sizeBytes - 4);
  const main = chunks[0]?.id === 'avih' ? await viewOf(reader, chunks[0].bodyStart, 40) : undefined;
  const lists = chunks.filter(({ type }) => type === 'strl');
  if (main === undefined || main.getUint32(16, true) === 0 || main.getUint32(24, true) !== lists.length)
    return false;
  for (const [stream, list] of lists.entries()) {
    const body = await viewOf(reader, list.bodyStart, 48);
    if (body === undefined || textAt(body, 0) !== 'strh' || body.getUint32(40, true) === 0) return false;
    const [suggested, most] = [body.getUint32(44, true), largest.get(stream) ?? 0];
    if (suggested !== 0 && suggested !== most && suggested !== most + 8) return false;
  }
  return lists.length > 0;
}

const ASF_HEADER = '3026b2758e66cf11a6d900aa0062ce6c';
const ASF_FILE_PROPERTIES = 'a1dcab8c47a9cf118ee400c00c205365';
const ASF_DATA = '3626b2758e66cf11a6d900aa0062ce6c';
/** Bytes of an ASF object's id and size, and of the data object before its first packet. */
const ASF_OBJECT_BYTES = 24;
const ASF_DATA_HEADER_BYTES = 50;
const ASF_IS_BROADCAST = 1;

interface AsfObject {
  readonly id: string;
  readonly start: number;
  readonly sizeBytes: number;
}

/** Requires the header to state the file's size and the data's packet count, which a writer enters when it finishes. */
async function isAsfClosed(reader: MediaReader): Promise<boolean> {
  const objects = await objectsIn(reader, 0, reader.sizeBytes);
  const [header, data] = objects;
  if (header?.id !== ASF_HEADER || data?.id !== ASF_DATA) return false;
  const inside = await objectsIn(reader, 30, header.sizeBytes);
  const properties = inside.find(({ id }) => id === ASF_FILE_PROPERTIES);
  const stated = properties && (await viewOf(reader, properties.start, 104));
  const packets = await viewOf(reader, data.start, ASF_DATA_HEADER_BYTES);
  if (stated === undefined || packets === undefined) return false;
  const [packetBytes, mostPacketBytes] = [stated.getUint32(92, true), stated.getUint32(96, true)];
  const count = stated.getBigUint64(56, true);
  return (
    (stated.getUint32(88, true) & ASF_IS_BROADCAST) === 0 &&
    stated.getBigUint64(40, true) === BigInt(reader.sizeBytes) &&
    stated.getBigUint64(64, true) > 0n &&
    count > 0n &&
    packets.getBigUint64(40, true) === count &&
    packetBytes === mostPacketBytes &&
    BigInt(ASF_DATA_HEADER_BYTES) + count * BigInt(packetBytes) === BigInt(data.sizeBytes)
  );
}

/** The objects that exactly fill a range; empty when they do not. */
async function objectsIn(reader: MediaReader, start: number, end: number): Promise<readonly AsfObject[]> {
  const objects: AsfObject[] = [];
  let offset = start;
  while (offset < end && objects.length < 1000) {
    const bytes = await viewOf(reader, offset, ASF_OBJECT_BYTES);
    const sizeBytes = bytes === undefined ? 0 : Number(bytes.getBigUint64(16, true));
    if (bytes === undefined || sizeBytes < ASF_OBJECT_BYTES) return [];
    const id = Buffer.from(bytes.buffer, bytes.byteOffset, 16).toString('hex');
    objects.push({ id, start: offset, sizeBytes });
    offset += sizeBytes;
  }
  return offset === end ? objects : [];
}

/** Exactly these bytes; undefined when the file ends before. */
async function viewOf(reader: MediaReader, offset: number, length: number): Promise<DataView | undefined> {
  if (offset + length > reader.sizeBytes) return undefined;
  const bytes = await reader.read(offset, length);
  if (bytes.length < length) return undefined;
  // Copied, because the reader reuses its buffer for the next read
  return new DataView(Uint8Array.from(bytes).buffer);
}

function textAt(view: DataView, offset: number): string {
  return String.fromCharCode(...[0, 1, 2, 3].map((index) => view.getUint8(offset + index)));
}
