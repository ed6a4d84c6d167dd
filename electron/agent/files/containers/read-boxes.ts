import type { Completeness } from './media-reader.ts';
import { createWindow, WINDOW_BYTES, type MediaReader, type Window } from './media-reader.ts';

/** Most boxes looked at in one file: a day in fragments of a tenth of a second has fewer. */
const MAX_BOXES = 2_000_000;
/** Most boxes looked at inside `moov` or `meta`: they have tens. */
const MAX_CHILD_BOXES = 1000;
/** Seconds from 1904-01-01, the epoch of ISO 14496-12, to 1970. */
const EPOCH_1904_SECONDS = 2_082_844_800;

/** Types with which a file may begin; anything else is another format under this name. */
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

interface Box {
  readonly type: string;
  readonly start: number;
  readonly bodyStart: number;
  readonly end: number;
}

interface Facts {
  durationMs?: number;
  createdAtMs?: number;
  statedStartMs?: number;
  sourceName?: string;
}

/**
 * Walks an MP4 or MOV file to its end: every box at the top fits, their sizes add up to the file's, `moov`
 * and media data are there. Says what `mvhd` and ONVIF's `cstb` state. Reads headers only.
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

/** A file that does not even begin as one: zeros and short files are still being written, the rest is something else. */
async function startTrouble(window: Window, reason: string): Promise<Completeness> {
  const head = await window.at(0, 8);
  if (head === undefined || head.getBigUint64(0) === 0n) return incomplete(reason);
  return FIRST_TYPES.has(typeAt(head)) ? incomplete(reason) : { kind: 'unknown-format' };
}

function incomplete(reason: string): Completeness {
  return { kind: 'incomplete', reason };
}

/** The box at `offset`, which must end at `limit` at most; text when it does not. */
async function readBox(window: Window, offset: number, limit: number): Promise<Box | string> {
  const head = await window.at(offset, 8);
  if (head === undefined || offset + 8 > limit)
    return `${limit - offset} bytes are left over at byte ${offset}`;
  const type = typeAt(head);
  const size32 = head.getUint32(0);
  if (size32 === 0 && type === '\0\0\0\0') return `nothing is written yet at byte ${offset}`;
  if (size32 === 0) return { type, start: offset, bodyStart: offset + 8, end: limit };
  const long = size32 === 1 ? await window.at(offset + 8, 8) : undefined;
  if (size32 === 1 && long === undefined) return `the size of box "${shownType(type)}" is cut off`;
  // A size beyond 2^53 loses digits here, and is far beyond any file either way.
  const size = long === undefined ? size32 : Number(long.getBigUint64(0));
  const headerBytes = long === undefined ? 8 : 16;
  if (size < headerBytes) return `box "${shownType(type)}" at byte ${offset} has the impossible size ${size}`;
  if (offset + size > limit) {
    return `box "${shownType(type)}" at byte ${offset} needs ${size} bytes, ${limit - offset} are there`;
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
  for await (const box of children(window, movie.bodyStart, movie.end)) {
    if (box.type === 'mvhd') await readMovieHeader(window, box, facts);
    if (box.type === 'meta') await readMeta(window, box, facts);
  }
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
  if (created > 0) setDate(facts, 'createdAtMs', (created - EPOCH_1904_SECONDS) * 1000);
  if (timescale > 0 && duration > 0 && !isUnknown)
    facts.durationMs = Math.round((duration / timescale) * 1000);
}

/** Metadata of an ONVIF export; a QuickTime `meta` without version bytes has none of it. */
async function readMeta(window: Window, meta: Box, facts: Facts): Promise<void> {
  for await (const box of children(window, meta.bodyStart + 4, meta.end)) {
    const body = await window.at(box.bodyStart, Math.min(box.end - box.bodyStart, WINDOW_BYTES));
    if (body === undefined) continue;
    if (box.type === 'cstb') setDate(facts, 'statedStartMs', parseCorrectStart(body));
    const sourceName = box.type === 'suep' ? parseSourceName(body) : undefined;
    if (sourceName !== undefined) facts.sourceName = sourceName;
  }
}

/** The widest time that JavaScript's dates have, milliseconds. */
const MAX_DATE_MS = 8.64e15;

function setDate(facts: Facts, key: 'createdAtMs' | 'statedStartMs', ms: number | undefined): void {
  if (ms !== undefined && Math.abs(ms) <= MAX_DATE_MS) facts[key] = ms;
}

/** Milliseconds from 1601-01-01, the epoch of ONVIF's start times, to 1970. */
const EPOCH_1601_MS = 11_644_473_600_000;

/** Longest name that is taken from a file, characters. */
const MAX_NAME_LENGTH = 200;

/** Start of the first track in milliseconds since 1970 UTC, of the body of a `cstb` box (100 ns since 1601). */
function parseCorrectStart(body: DataView): number | undefined {
  if (body.byteLength < 16 || body.getUint32(0) === 0) return undefined;
  return Number(body.getBigUint64(8) / 10_000n) - EPOCH_1601_MS;
}

/** Name of the first source, of the body of a version 1 `suep` box; other versions are laid out differently. */
function parseSourceName(body: DataView): string | undefined {
  if (body.byteLength < 4 || body.getUint8(0) !== 1) return undefined;
  const unit = skipTexts(body, 4, 3);
  const operator = unit === undefined ? undefined : skipTexts(body, unit + 8, 1);
  if (operator === undefined || operator + 6 > body.byteLength || body.getUint32(operator) === 0)
    return undefined;
  const start = operator + 6;
  const end = skipTexts(body, start, 1);
  if (end === undefined) return undefined;
  const name = new TextDecoder().decode(
    new Uint8Array(body.buffer, body.byteOffset + start, end - 1 - start),
  );
  return name.trim() === '' ? undefined : name.trim().slice(0, MAX_NAME_LENGTH);
}

/** Where the `count` NUL-terminated texts from `start` end; undefined when the box ends first. */
function skipTexts(body: DataView, start: number, count: number): number | undefined {
  let offset = start;
  for (let left = count; left > 0; offset += 1) {
    if (offset >= body.byteLength) return undefined;
    if (body.getUint8(offset) === 0) left -= 1;
  }
  return offset;
}
