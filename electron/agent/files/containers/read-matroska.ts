import { crc32 } from 'node:zlib';
import type { Completeness } from './media-reader.ts';
import { createWindow, type MediaReader, type Window } from './media-reader.ts';

/** Most elements looked at in one file: a day of frames at 30 a second, when clusters state no size. */
const MAX_ELEMENTS = 5_000_000;
/** Most elements looked at before the segment's information: it comes first in every known writer. */
const MAX_INFO_ELEMENTS = 1000;
/** Milliseconds from 1970 to 2001-01-01, the epoch of Matroska's dates. */
const EPOCH_2001_MS = 978_307_200_000;

const EBML = 0x1a45dfa3;
const SEGMENT = 0x18538067;
const INFO = 0x1549a966;
const CLUSTER = 0x1f43b675;
const CUES = 0x1c53bb6b;
const SEEK_HEAD = 0x114d9b74;
const [SEEK_ID, SEEK_POSITION] = [0x53ab, 0x53ac];
const [CUE_POINT, CUE_TRACK_POSITIONS, CUE_CLUSTER_POSITION] = [0xbb, 0xb7, 0xf1];
const CRC = 0xbf;
const VOID = 0xec;
const TIMESTAMP_SCALE = 0x2ad7b1;
const DURATION = 0x4489;
const DATE = 0x4461;
/** SeekHead, Info, Tracks, Cluster, Cues, Chapters, Attachments, Tags: what may follow a cluster of unknown size. */
const TOP_ELEMENTS = new Set([
  SEEK_HEAD,
  INFO,
  0x1654ae6b,
  CLUSTER,
  CUES,
  0x1043a770,
  0x1941a469,
  0x1254c367,
]);

interface Element {
  readonly id: number;
  readonly bodyStart: number;
  /** Undefined when the writer did not know the size. */
  readonly end: number | undefined;
}

/**
 * Checks that a Matroska or WebM file is whole: a segment of known size must fit; one of unknown size is
 * walked element by element to the very end of the file.
 */
export async function checkMatroska(reader: MediaReader): Promise<Completeness> {
  const window = createWindow(reader);
  if (window.sizeBytes === 0) return incomplete('it is empty');
  const header = await readElement(window, 0);
  if (header === undefined || header.id !== EBML || header.end === undefined) return startTrouble(window);
  const segment = await findSegment(window, header.end);
  if (segment === undefined) return incomplete('its segment is missing');
  if (segment.end !== undefined && segment.end > window.sizeBytes) {
    return incomplete(`its segment ends at byte ${segment.end}, but the file has ${window.sizeBytes} bytes`);
  }
  const defect = segment.end === undefined ? await walkToEnd(window, segment.bodyStart) : undefined;
  if (defect !== undefined) return incomplete(defect);
  return { kind: 'complete', ...(await readInfo(window, segment)) };
}

function incomplete(reason: string): Completeness {
  return { kind: 'incomplete', reason };
}

async function startTrouble(window: Window): Promise<Completeness> {
  const head = await window.at(0, 4);
  const start = head?.getUint32(0);
  if (start === 0) return incomplete('nothing has been written yet');
  return (start ?? EBML) === EBML ? incomplete('its header is cut off') : { kind: 'unknown-format' };
}

async function findSegment(window: Window, start: number): Promise<Element | undefined> {
  let offset = start;
  for (let count = 0; count < MAX_INFO_ELEMENTS; count += 1) {
    const element = await readElement(window, offset);
    if (element === undefined || element.id === SEGMENT) return element;
    if (element.end === undefined) return undefined;
    offset = element.end;
  }
  return undefined;
}

/** Walks the elements of a segment of unknown size; returns the defect when the file does not end with an element. */
async function walkToEnd(window: Window, start: number): Promise<string | undefined> {
  let offset = start;
  let hasCluster = false;
  let isInsideOpenCluster = false;
  for (let count = 0; offset < window.sizeBytes; count += 1) {
    if (count >= MAX_ELEMENTS) return `it has more than ${MAX_ELEMENTS} elements`;
    const element = await readElement(window, offset);
    if (element === undefined) return `the element at byte ${offset} is cut off`;
    const isTop = TOP_ELEMENTS.has(element.id);
    if (element.end === undefined && element.id !== CLUSTER)
      return `the element at byte ${offset} does not state its size`;
    if (element.end !== undefined && element.end > window.sizeBytes) {
      return `the element at byte ${offset} needs ${element.end - offset} bytes but has ${window.sizeBytes - offset}`;
    }
    if (!isTop && !isInsideOpenCluster && !isFiller(element.id))
      return `there is unknown data at byte ${offset}`;
    if (isTop) isInsideOpenCluster = element.end === undefined;
    if (element.id === CLUSTER) hasCluster = true;
    offset = element.end ?? element.bodyStart;
  }
  return hasCluster ? undefined : 'it has no media data (cluster)';
}

/** Void and CRC-32 may appear anywhere. */
const isFiller = (id: number): boolean => id === VOID || id === CRC;

/** Largest element that is read whole, bytes: the cues of a day. */
const MOST_ELEMENT_BYTES = 4 * 1024 * 1024;
/** Most elements looked at inside one: the cues of a day, two a second. */
const MOST_CHILDREN = 200_000;
/** Most elements looked at behind the last cue. */
const MOST_LAST_ELEMENTS = 10_000;

/**
 * Whether the segment states its size and ends with the file, has a duration and cues, and its last cue points to a
 * cluster that is followed by elements without a gap to the end. Checksums are verified where present: a writer that
 * has only reserved room for one has not finished.
 */
export async function isMatroskaClosed(reader: MediaReader): Promise<boolean> {
  const window = createWindow(reader);
  const header = await readElement(window, 0);
  if (header?.id !== EBML || header.end === undefined) return false;
  const segment = await findSegment(window, header.end);
  if (segment?.end !== reader.sizeBytes) return false;
  const front = await walk(
    reader,
    { start: segment.bodyStart, end: segment.end, until: CLUSTER },
    MAX_INFO_ELEMENTS,
  );
  const contents = front?.find(({ id }) => id === SEEK_HEAD);
  if (front === undefined || contents === undefined) return false;
  if ((await readInfo(window, segment)).durationMs === undefined) return false;
  const cues = front.find(({ id }) => id === CUES) ?? (await findCues(window, segment, contents));
  const cued = cues && (await lastCued(window, cues));
  const start = segment.bodyStart + (cued ?? 0);
  if (cued === undefined || (await readElement(window, start))?.id !== CLUSTER) return false;
  return (await walk(reader, { start, end: segment.end }, MOST_LAST_ELEMENTS)) !== undefined;
}

/** The elements that fill a range without a gap, to its end or the first `until`. Undefined: something is not final. */
async function walk(
  reader: MediaReader,
  range: { readonly start: number; readonly end: number; readonly until?: number },
  most: number,
): Promise<readonly Element[] | undefined> {
  const window = createWindow(reader);
  const elements: Element[] = [];
  let offset = range.start;
  while (offset < range.end) {
    const element = await readElement(window, offset);
    if (element?.end === undefined || element.end > range.end || elements.length >= most) return undefined;
    if (element.id === range.until) return elements;
    if (!TOP_ELEMENTS.has(element.id) && !isFiller(element.id)) return undefined;
    if (element.id !== CLUSTER && element.id !== VOID && !(await isFinal(reader, element))) return undefined;
    elements.push(element);
    offset = element.end;
  }
  return elements;
}

/** Whether an element's checksum, if it has one, is correct. False for an element too large to read. */
async function isFinal(reader: MediaReader, { bodyStart, end = bodyStart }: Element): Promise<boolean> {
  if (end - bodyStart > MOST_ELEMENT_BYTES) return false;
  const body = await reader.read(bodyStart, end - bodyStart);
  const [id, size] = body;
  if (size !== 0x84 || body.length < 6) return true;
  if (id !== CRC) return id !== VOID;
  return crc32(body.subarray(6)) === new DataView(body.buffer, body.byteOffset).getUint32(2, true);
}

/** The cues that the segment's seek head points to. */
async function findCues(window: Window, segment: Element, contents: Element): Promise<Element | undefined> {
  for await (const entry of children(window, contents)) {
    const fields = new Map<number, number>();
    for await (const field of children(window, entry)) fields.set(field.id, await numberIn(window, field));
    if (fields.get(SEEK_ID) !== CUES) continue;
    const cues = await readElement(window, segment.bodyStart + (fields.get(SEEK_POSITION) ?? 0));
    return cues?.id === CUES ? cues : undefined;
  }
  return undefined;
}

/** Offset of the last cued cluster from the start of the segment's body. */
async function lastCued(window: Window, cues: Element): Promise<number | undefined> {
  let last: Element | undefined;
  for await (const point of children(window, cues)) if (point.id === CUE_POINT) last = point;
  if (last === undefined) return undefined;
  for await (const track of children(window, last)) {
    if (track.id !== CUE_TRACK_POSITIONS) continue;
    for await (const field of children(window, track))
      if (field.id === CUE_CLUSTER_POSITION) return numberIn(window, field);
  }
  return undefined;
}

/** The elements inside one; those after the first `MOST_CHILDREN` are ignored. */
async function* children(window: Window, { bodyStart, end = bodyStart }: Element): AsyncGenerator<Element> {
  let offset = bodyStart;
  for (let count = 0; count < MOST_CHILDREN && offset < end; count += 1) {
    const element = await readElement(window, offset);
    if (element?.end === undefined || element.end > end) return;
    yield element;
    offset = element.end;
  }
}

async function numberIn(window: Window, { bodyStart, end = bodyStart }: Element): Promise<number> {
  const body = await window.at(bodyStart, Math.min(8, end - bodyStart));
  return body === undefined ? 0 : unsignedAt(body);
}

interface Info {
  readonly durationMs?: number;
  readonly createdAtMs?: number;
}

async function readInfo(window: Window, segment: Element): Promise<Info> {
  let offset = segment.bodyStart;
  for (let count = 0; count < MAX_INFO_ELEMENTS && offset < window.sizeBytes; count += 1) {
    const element = await readElement(window, offset);
    if (element?.end === undefined || element.id === CLUSTER) return {};
    if (element.id === INFO) return readInfoFields(window, element.bodyStart, element.end);
    offset = element.end;
  }
  return {};
}

async function readInfoFields(window: Window, start: number, end: number): Promise<Info> {
  let scaleNs = 1_000_000;
  let ticks: number | undefined;
  let createdAtMs: number | undefined;
  let offset = start;
  for (let count = 0; count < MAX_INFO_ELEMENTS && offset < end; count += 1) {
    const element = await readElement(window, offset);
    if (element?.end === undefined || element.end > end) break;
    const body = await window.at(element.bodyStart, element.end - element.bodyStart);
    if (body !== undefined && element.id === TIMESTAMP_SCALE) scaleNs = unsignedAt(body);
    if (body !== undefined && element.id === DURATION) ticks = floatAt(body);
    if (body?.byteLength === 8 && element.id === DATE) {
      createdAtMs = EPOCH_2001_MS + Number(body.getBigInt64(0) / 1_000_000n);
    }
    offset = element.end;
  }
  const durationMs = ticks === undefined ? Number.NaN : Math.round((ticks * scaleNs) / 1_000_000);
  return {
    ...(durationMs > 0 && Number.isSafeInteger(durationMs) && { durationMs }),
    ...(createdAtMs !== undefined && { createdAtMs }),
  };
}

function unsignedAt(body: DataView): number {
  let value = 0;
  for (let index = 0; index < Math.min(body.byteLength, 8); index += 1)
    value = value * 256 + body.getUint8(index);
  return value;
}

function floatAt(body: DataView): number | undefined {
  if (body.byteLength === 4) return body.getFloat32(0);
  return body.byteLength === 8 ? body.getFloat64(0) : undefined;
}

/** The element whose header is at `offset`; undefined when the header is cut off or malformed. */
async function readElement(window: Window, offset: number): Promise<Element | undefined> {
  const available = Math.min(12, window.sizeBytes - offset);
  const head = available >= 2 ? await window.at(offset, available) : undefined;
  if (head === undefined) return undefined;
  const idBytes = lengthOf(head.getUint8(0));
  if (idBytes > 4 || idBytes >= available) return undefined;
  const sizeBytes = lengthOf(head.getUint8(idBytes));
  if (sizeBytes > 8 || idBytes + sizeBytes > available) return undefined;
  let id = 0;
  for (let index = 0; index < idBytes; index += 1) id = id * 256 + head.getUint8(index);
  const size = sizeAt(head, idBytes, sizeBytes);
  const bodyStart = offset + idBytes + sizeBytes;
  return { id, bodyStart, end: size === undefined ? undefined : bodyStart + size };
}

/** Length of a number with this first byte: its leading zero bits plus one; 9 when no bit is set. */
function lengthOf(first: number): number {
  return first === 0 ? 9 : Math.clz32(first) - 23;
}

/** A size in bytes; undefined when all its bits are set, which means "not known". */
function sizeAt(head: DataView, start: number, length: number): number | undefined {
  const mask = 0xff >> length;
  let value = head.getUint8(start) & mask;
  let isUnknown = value === mask;
  for (let index = 1; index < length; index += 1) {
    const byte = head.getUint8(start + index);
    value = value * 256 + byte;
    isUnknown &&= byte === 0xff;
  }
  return isUnknown ? undefined : value;
}
