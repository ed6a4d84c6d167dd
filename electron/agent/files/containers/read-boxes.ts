import type { MediaFacts } from '../../core/naming/file-content.ts';
import type { Completeness } from './media-reader.ts';
import { parseCorrectStart, parseExportSource, parseLocation, parsePlainLocation } from './export-boxes.ts';
import { createWindow, WINDOW_BYTES, type MediaReader, type Window } from './media-reader.ts';

/** Most boxes looked at in one file: a day in fragments of a tenth of a second has fewer. */
const MAX_BOXES = 2_000_000;
/** Most boxes looked at inside `moov` or `meta`: they have tens. */
const MAX_CHILD_BOXES = 1000;
/** Most tracks searched for the video: clips have two or three. */
const MAX_TRACKS = 8;
/** Seconds from 1904-01-01, the epoch of ISO 14496-12, to 1970. */
const EPOCH_1904_SECONDS = 2_082_844_800;

/** Types that a file may begin with; a file that begins with any other has another format. */
const FIRST_TYPES = new Set([
  'ftyp',
  'styp',
  'moov',
  'moof',
  'mdat',
  'free',
  'skip',
  'wide',
  'pnot',
  'sidx',
  'meta',
  'uuid',
]);

/** A box with its header; offsets in the file, bytes. */
export interface Box {
  readonly type: string;
  readonly start: number;
  readonly bodyStart: number;
  readonly end: number;
}

/** Facts collected during the walk. */
type Facts = { -readonly [Name in keyof MediaFacts]: MediaFacts[Name] };

/**
 * Walks an MP4 or MOV file to its end: every top-level box must fit, their sizes must add up to the file's, and `moov`
 * and media data must be present. Returns what `mvhd`, the video track, an ONVIF export's boxes and the camera's
 * location state. Reads headers only.
 */
export async function checkMp4(reader: MediaReader): Promise<Completeness> {
  const window = createWindow(reader);
  const seen = new Set<string>();
  const facts: Facts = {};
  if (window.sizeBytes === 0) return incomplete('it is empty');
  let offset = 0;
  for (let count = 0; offset < window.sizeBytes; count += 1) {
    if (count >= MAX_BOXES) return incomplete(`it has more than ${MAX_BOXES} boxes`);
    const box = await readBox(window, offset, window.sizeBytes);
    if (offset === 0 && typeof box !== 'string' && !FIRST_TYPES.has(box.type))
      return { kind: 'unknown-format' };
    if (typeof box === 'string') return offset === 0 ? startTrouble(window, box) : incomplete(box);
    if (box.type === 'moov') await readMovie(window, box, facts);
    if (box.type === 'meta') await readMeta(window, box, facts);
    seen.add(box.type);
    offset = box.end;
  }
  if (!seen.has('moov')) return incomplete('its index (moov) is missing');
  if (!seen.has('mdat')) return incomplete('it has no media data (mdat)');
  return { kind: 'complete', ...facts };
}

/** Judges a file without a valid first box: zeros and short files are unfinished, the rest is another format. */
async function startTrouble(window: Window, reason: string): Promise<Completeness> {
  const head = await window.at(0, 8);
  if (head === undefined || head.getBigUint64(0) === 0n) return incomplete(reason);
  return FIRST_TYPES.has(typeAt(head)) ? incomplete(reason) : { kind: 'unknown-format' };
}

function incomplete(reason: string): Completeness {
  return { kind: 'incomplete', reason };
}

/** The box at `offset`, which must end by `limit`; otherwise the reason, as text. */
export async function readBox(window: Window, offset: number, limit: number): Promise<Box | string> {
  const head = await window.at(offset, 8);
  if (head === undefined || offset + 8 > limit) {
    const left = limit - offset;
    return `${left} ${left === 1 ? 'byte is' : 'bytes are'} left over at byte ${offset}`;
  }
  const type = typeAt(head);
  const size32 = head.getUint32(0);
  if (size32 === 0 && type === '\0\0\0\0') return `nothing has been written yet at byte ${offset}`;
  if (size32 === 0) return { type, start: offset, bodyStart: offset + 8, end: limit };
  const long = size32 === 1 ? await window.at(offset + 8, 8) : undefined;
  if (size32 === 1 && long === undefined) return `the size of box "${shownType(type)}" is cut off`;
  // A size beyond 2^53 loses digits here, but is far beyond any file anyway.
  const size = long === undefined ? size32 : Number(long.getBigUint64(0));
  const headerBytes = long === undefined ? 8 : 16;
  if (size < headerBytes) return `box "${shownType(type)}" at byte ${offset} has the impossible size ${size}`;
  if (offset + size > limit) {
    return `box "${shownType(type)}" at byte ${offset} needs ${size} bytes but has ${limit - offset}`;
  }
  return { type, start: offset, bodyStart: offset + headerBytes, end: offset + size };
}

function typeAt(head: DataView): string {
  return String.fromCharCode(head.getUint8(4), head.getUint8(5), head.getUint8(6), head.getUint8(7));
}

function shownType(type: string): string {
  return type.replace(/[^ -~]/g, '?');
}

async function* children(window: Window, start: number, end: number): AsyncGenerator<Box> {
  let offset = start;
  for (let count = 0; count < MAX_CHILD_BOXES && offset < end; count += 1) {
    const box = await readBox(window, offset, end);
    if (typeof box === 'string') return;
    yield box;
    offset = box.end;
  }
}

async function readMovie(window: Window, movie: Box, facts: Facts): Promise<void> {
  let tracks = 0;
  for await (const box of children(window, movie.bodyStart, movie.end)) {
    if (box.type === 'mvhd') await readMovieHeader(window, box, facts);
    if (box.type === 'meta') await readMeta(window, box, facts);
    if (box.type === 'udta') await readUserData(window, box, facts);
    if (box.type !== 'trak' || facts.frameRate !== undefined || (tracks += 1) > MAX_TRACKS) continue;
    const frameRate = await frameRateOf(window, box);
    if (frameRate !== undefined) facts.frameRate = frameRate;
  }
}

/** Average frames per second of a video track, over the beginning of its time table. */
async function frameRateOf(window: Window, track: Box): Promise<number | undefined> {
  const media = await childOf(window, track, 'mdia');
  const bodies = async (type: string) => {
    const box = media && (await childOf(window, media, type));
    return box && bodyOf(window, box);
  };
  const [handler, header] = [await bodies('hdlr'), await bodies('mdhd')];
  if (media === undefined || header === undefined || header.byteLength < 24) return undefined;
  if (handler === undefined || handler.byteLength < 12 || handler.getUint32(8) !== VIDEO) return undefined;
  const timescale = header.getUint32(header.getUint8(0) === 1 ? 20 : 12);
  const info = await childOf(window, media, 'minf');
  const table = info && (await childOf(window, info, 'stbl'));
  const times = table && (await childOf(window, table, 'stts'));
  const body = times && (await bodyOf(window, times));
  if (body === undefined || body.byteLength < 8) return undefined;
  let [frames, ticks] = [0, 0];
  const end = Math.min(body.byteLength, 8 + body.getUint32(4) * 8);
  for (let offset = 8; offset + 8 <= end; offset += 8) {
    frames += body.getUint32(offset);
    ticks += body.getUint32(offset) * body.getUint32(offset + 4);
  }
  const rate = (frames * timescale) / ticks;
  return Number.isFinite(rate) && rate > 0 ? rate : undefined;
}

/** `vide`, the handler of a video track. */
const VIDEO = 0x76696465;

async function childOf(window: Window, parent: Box, type: string): Promise<Box | undefined> {
  for await (const box of children(window, parent.bodyStart, parent.end)) if (box.type === type) return box;
  return undefined;
}

async function readMovieHeader(window: Window, box: Box, facts: Facts): Promise<void> {
  const version = (await window.at(box.bodyStart, 4))?.getUint8(0);
  const length = version === 1 ? 32 : 20;
  const body = box.bodyStart + length <= box.end ? await window.at(box.bodyStart, length) : undefined;
  if (body === undefined || version === undefined || version > 1) return;
  const created = version === 1 ? Number(body.getBigUint64(4)) : body.getUint32(4);
  const timescale = version === 1 ? body.getUint32(20) : body.getUint32(12);
  const duration = version === 1 ? Number(body.getBigUint64(24)) : body.getUint32(16);
  const isUnknown = duration === (version === 1 ? 2 ** 64 : 0xffff_ffff);
  const createdAtMs = (created - EPOCH_1904_SECONDS) * 1000;
  if (created > 0 && Math.abs(createdAtMs) <= MAX_DATE_MS) facts.createdAtMs = createdAtMs;
  if (timescale > 0 && duration > 0 && !isUnknown)
    facts.durationMs = Math.round((duration / timescale) * 1000);
}

/** Metadata of an ONVIF export; a QuickTime `meta` without version bytes has none of it. */
async function readMeta(window: Window, meta: Box, facts: Facts): Promise<void> {
  for await (const box of children(window, meta.bodyStart + 4, meta.end)) {
    if (box.type === 'ipro') await readProtection(window, box, facts);
    const body = await bodyOf(window, box);
    if (box.type === 'cstb') noteStart(facts, body && parseCorrectStart(body));
    if (box.type === 'suep' && body !== undefined) Object.assign(facts, parseExportSource(body));
  }
}

/** Each signer adds a `sinf`, and may state another start in it. Goes no deeper than the standard does. */
async function readProtection(window: Window, protection: Box, facts: Facts): Promise<void> {
  // version and flags, and the count of what follows
  for await (const signature of children(window, protection.bodyStart + 6, protection.end)) {
    if (signature.type !== 'sinf') continue;
    for await (const box of children(window, signature.bodyStart, signature.end)) {
      const body = box.type === 'cstb' ? await bodyOf(window, box) : undefined;
      noteStart(facts, body && parseCorrectStart(body));
    }
  }
}

/** Keeps the first start, and beside it a different one that another signer states. */
function noteStart(facts: Facts, startMs: number | undefined): void {
  if (startMs === undefined || Math.abs(startMs) > MAX_DATE_MS) return;
  facts.statedStartMs ??= startMs;
  if (facts.statedStartMs !== startMs) facts.otherStartMs = startMs;
}

/** Where the camera was: the phone's `\u00a9xyz`, and `loci` of ETSI TS 126 244. */
async function readUserData(window: Window, userData: Box, facts: Facts): Promise<void> {
  for await (const box of children(window, userData.bodyStart, userData.end)) {
    if (box.type !== 'loci' && box.type !== '\u00a9xyz') continue;
    const body = await bodyOf(window, box);
    const position = body && (box.type === 'loci' ? parseLocation(body) : parsePlainLocation(body));
    if (position !== undefined) Object.assign(facts, position);
  }
}

function bodyOf(window: Window, box: Box): Promise<DataView | undefined> {
  return window.at(box.bodyStart, Math.min(box.end - box.bodyStart, WINDOW_BYTES));
}

/** Largest absolute time of a JavaScript date, milliseconds. */
const MAX_DATE_MS = 8.64e15;
