/** Milliseconds from 1601-01-01, the epoch of ONVIF's start times, to 1970. */
const EPOCH_1601_MS = 11_644_473_600_000;
/** Longest name that is taken from a file, characters. */
const MAX_NAME_LENGTH = 200;

/** Start of the first track in milliseconds since 1970 UTC, of the body of a `cstb` box (100 ns since 1601). */
export function parseCorrectStart(body: DataView): number | undefined {
  if (body.byteLength < 16 || body.getUint32(0) === 0) return undefined;
  return Number(body.getBigUint64(8) / 10_000n) - EPOCH_1601_MS;
}

/** Name of the first source, of the body of a version 1 `suep` box; other versions are laid out differently. */
export function parseSourceName(body: DataView): string | undefined {
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
