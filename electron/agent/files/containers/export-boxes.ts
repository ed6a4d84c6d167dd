/**
 * Reads the bodies of boxes in ONVIF exports and phone recordings. Everything in them may be hostile: counts are not
 * trusted, and whatever does not fit in the body is ignored.
 */

/** Milliseconds from 1601-01-01, the epoch of ONVIF's start times, to 1970. */
const EPOCH_1601_MS = 11_644_473_600_000;
/** Longest text that is read from a file, characters. */
const MAX_TEXT_LENGTH = 200;
/** Most sources searched for one with a name. */
const MOST_SOURCES = 100;

/** Start of the first track from the body of a `cstb` box (100 ns since 1601), in milliseconds since 1970 UTC. */
export function parseCorrectStart(body: DataView): number | undefined {
  if (body.byteLength < 16 || body.getUint32(0) === 0) return undefined;
  return Number(body.getBigUint64(8) / 10_000n) - EPOCH_1601_MS;
}

/** A camera as an export names it. */
interface ExportSource {
  readonly sourceName: string;
  readonly sourceUrl?: string;
  readonly sourceMac?: string;
}

/**
 * The first source with a name in the body of a `suep` box. Version 1 lists sources by track, version 0 videos by UUID.
 */
export function parseExportSource(body: DataView): ExportSource | undefined {
  if (body.byteLength < 4 || body.getUint8(0) > 1) return undefined;
  const isFirstVersion = body.getUint8(0) === 0;
  const unit = readTexts(body, 4, 3);
  const operator = unit && readTexts(body, unit.end + 8, 1);
  if (operator === undefined) return undefined;
  const countBytes = isFirstVersion ? 1 : 4;
  if (operator.end + countBytes > body.byteLength) return undefined;
  const count = isFirstVersion ? body.getUint8(operator.end) : body.getUint32(operator.end);
  let offset = operator.end + countBytes;
  for (let index = 0; index < Math.min(count, MOST_SOURCES); index += 1) {
    const source = readTexts(body, offset + (isFirstVersion ? 16 : 2), 4);
    if (source === undefined) return undefined;
    const [sourceName = '', sourceUrl = '', sourceMac = ''] = source.texts;
    if (sourceName !== '')
      return { sourceName, ...(sourceUrl !== '' && { sourceUrl }), ...(sourceMac !== '' && { sourceMac }) };
    offset = source.end;
  }
  return undefined;
}

/** Position in degrees. */
interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

/** From the body of a `loci` box: language, name, role, then longitude and latitude as 16.16 fixed-point numbers. */
export function parseLocation(body: DataView): Position | undefined {
  const name = readTexts(body, 6, 1);
  if (name === undefined || name.end + 9 > body.byteLength) return undefined;
  const degreesAt = (offset: number): number => Math.round((body.getInt32(offset) / 65_536) * 1e6) / 1e6;
  return realPosition(degreesAt(name.end + 5), degreesAt(name.end + 1));
}

/** From the body of a `\u00a9xyz` box: `+51.5560-000.2795/` after its length and language. */
export function parsePlainLocation(body: DataView): Position | undefined {
  const text = textAt(body, 4, Math.min(body.byteLength, 4 + MAX_TEXT_LENGTH));
  const match = /^([+-]\d{1,2}(?:\.\d{1,9})?)([+-]\d{1,3}(?:\.\d{1,9})?)/.exec(text);
  return match === null ? undefined : realPosition(Number(match[1]), Number(match[2]));
}

/** Undefined for 0, 0 too: that is open sea, and means that the position was never set. */
function realPosition(latitude: number, longitude: number): Position | undefined {
  const isReal = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  return isReal && (latitude !== 0 || longitude !== 0) ? { latitude, longitude } : undefined;
}

/** `count` NUL-terminated texts and where they end; undefined when the box ends first. */
function readTexts(
  body: DataView,
  start: number,
  count: number,
): { readonly texts: readonly string[]; readonly end: number } | undefined {
  const texts: string[] = [];
  let begin = start;
  for (let offset = start; texts.length < count; offset += 1) {
    if (offset >= body.byteLength) return undefined;
    if (body.getUint8(offset) !== 0) continue;
    texts.push(textAt(body, begin, offset).trim().slice(0, MAX_TEXT_LENGTH));
    begin = offset + 1;
  }
  return { texts, end: begin };
}

function textAt(body: DataView, start: number, end: number): string {
  if (start >= end) return '';
  return new TextDecoder().decode(new Uint8Array(body.buffer, body.byteOffset + start, end - start));
}
