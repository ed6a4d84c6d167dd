/** Checks an MP4's media data against the tables of its index: where samples are, and how large. */
import { createWindow, type MediaReader, type Window } from './media-reader.ts';
import { readBox, type Box } from './read-boxes.ts';

/** Most boxes at the top level of an unfragmented file, in each box of its index, and at each level of the index. */
const MOST_BOXES = 1000;
/** Largest table that is read, bytes: that of a day-long clip. */
const MOST_TABLE_BYTES = 64 * 1024 * 1024;
/** Bytes of a table read at a time. */
const TABLE_PIECE_BYTES = 256 * 1024;
/** Smallest share of the media data that samples must cover when the index follows it: some writers pad. */
const LEAST_COVERED = 0.9;

/**
 * Whether boxes add up to the file's size and the index covers the media data. An index in front of the data may have
 * been written into room that held other bytes, so it must cover the data to the byte. Fragments prove nothing: the
 * file could end after any of them.
 */
export async function isMp4Closed(reader: MediaReader): Promise<boolean> {
  const window = createWindow(reader);
  const boxes = await boxesIn(window, 0, reader.sizeBytes);
  const media = boxes.filter(({ type }) => type === 'mdat');
  const index = boxes.findLast(({ type }) => type === 'moov');
  const last = media.at(-1);
  if (index === undefined || last === undefined || boxes.some(({ type }) => type === 'moof')) return false;
  const mediaBytes = media.reduce((sum, box) => sum + box.end - box.bodyStart, 0);
  const sampleBytes = await coveredBytes({ reader, window, media }, index);
  if (sampleBytes === undefined || sampleBytes > mediaBytes) return false;
  if (index.start > last.start) return sampleBytes >= mediaBytes * LEAST_COVERED;
  return sampleBytes === mediaBytes && (await isFilled(window, index));
}

/** Boxes of an index that only hold boxes, with the number of bytes before the first of them. */
const HOLDERS: ReadonlyMap<string, number> = new Map([
  ['moov', 0],
  ['trak', 0],
  ['udta', 0],
  ['meta', 4],
  ['ilst', 0],
  ['\u00a9too', 0],
]);

/** Most levels of boxes in an index: writers use five. */
const MOST_LEVELS = 8;

/** Whether boxes fill an index, and the boxes in it, to the end. */
async function isFilled(window: Window, index: Box): Promise<boolean> {
  let level: readonly Box[] = [index];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MOST_LEVELS) return false;
    const inside: Box[] = [];
    for (const { type, bodyStart, end } of level) {
      const before = HOLDERS.get(type);
      if (before === undefined || bodyStart + before >= end) continue;
      const boxes = await boxesIn(window, bodyStart + before, end);
      inside.push(...boxes);
      if (boxes.length === 0 || inside.length > MOST_BOXES) return false;
    }
    level = inside;
  }
  return true;
}

interface Movie {
  readonly reader: MediaReader;
  readonly window: Window;
  readonly media: readonly Box[];
}

/** Bytes of all samples; undefined when a track lacks a table, or a chunk lies outside the media data. */
async function coveredBytes(movie: Movie, index: Box): Promise<number | undefined> {
  const boxes = await boxesIn(movie.window, index.bodyStart, index.end);
  if (boxes[0]?.type !== 'mvhd' || boxes.some(({ type }) => type === 'mvex')) return undefined;
  let covered = 0;
  for (const track of boxes.filter(({ type }) => type === 'trak')) {
    const bytes = await trackBytes(movie, track);
    if (bytes === undefined) return undefined;
    covered += bytes;
  }
  return covered;
}

async function trackBytes(movie: Movie, track: Box): Promise<number | undefined> {
  let boxes = await boxesIn(movie.window, track.bodyStart, track.end);
  for (const type of ['mdia', 'minf', 'stbl']) {
    const box = boxes.find((each) => each.type === type);
    boxes = box === undefined ? [] : await boxesIn(movie.window, box.bodyStart, box.end);
  }
  const sizes = boxes.find(({ type }) => type === 'stsz');
  const chunks = boxes.find(({ type }) => type === 'stco' || type === 'co64');
  if (sizes === undefined || chunks === undefined || !boxes.some(({ type }) => type === 'stsc'))
    return undefined;
  return (await areInMedia(movie, chunks)) ? sumOf(movie, sizes) : undefined;
}

/** Sum of a table of sizes, which may be one size for all samples. */
async function sumOf(movie: Movie, table: Box): Promise<number | undefined> {
  const head = await movie.window.at(table.bodyStart, 12);
  if (head === undefined) return undefined;
  const [common, count] = [head.getUint32(4), head.getUint32(8)];
  if (common !== 0) return common * count;
  let sum = 0;
  const isRead = await eachEntry(movie, { table, start: 12, entryBytes: 4, count }, (view, at) => {
    sum += view.getUint32(at);
    return true;
  });
  return isRead ? sum : undefined;
}

async function areInMedia(movie: Movie, table: Box): Promise<boolean> {
  const count = (await movie.window.at(table.bodyStart, 8))?.getUint32(4);
  if (count === undefined) return false;
  const isLong = table.type === 'co64';
  return eachEntry(movie, { table, start: 8, entryBytes: isLong ? 8 : 4, count }, (view, at) => {
    const offset = isLong ? Number(view.getBigUint64(at)) : view.getUint32(at);
    return isIn(movie.media, offset);
  });
}

/** Whether one of the boxes, sorted by offset, holds this byte. Binary search, because there may be many of both. */
function isIn(boxes: readonly Box[], offset: number): boolean {
  let [from, to] = [0, boxes.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (offset < (boxes[middle]?.end ?? 0)) to = middle;
    else from = middle + 1;
  }
  return offset >= (boxes[from]?.bodyStart ?? Number.POSITIVE_INFINITY);
}

interface Entries {
  readonly table: Box;
  /** Offset of the first entry in the table's body. */
  readonly start: number;
  readonly entryBytes: number;
  readonly count: number;
}

/** Whether the table has exactly these entries, and each of them passes. */
async function eachEntry(
  { reader }: Movie,
  { table, start, entryBytes, count }: Entries,
  passes: (view: DataView, at: number) => boolean,
): Promise<boolean> {
  const from = table.bodyStart + start;
  if (from + count * entryBytes !== table.end || count * entryBytes > MOST_TABLE_BYTES) return false;
  for (let offset = from; offset < table.end; offset += TABLE_PIECE_BYTES) {
    const length = Math.min(TABLE_PIECE_BYTES, table.end - offset);
    const bytes = await reader.read(offset, length);
    if (bytes.length < length) return false;
    const view = new DataView(bytes.buffer, bytes.byteOffset, length);
    for (let at = 0; at < length; at += entryBytes) if (!passes(view, at)) return false;
  }
  return true;
}

/** The boxes that exactly fill a range; empty when they do not. */
async function boxesIn(window: Window, start: number, end: number): Promise<readonly Box[]> {
  const boxes: Box[] = [];
  let offset = start;
  while (offset < end && boxes.length < MOST_BOXES) {
    const box = await readBox(window, offset, end);
    if (typeof box === 'string') return [];
    boxes.push(box);
    offset = box.end;
  }
  return offset === end ? boxes : [];
}
