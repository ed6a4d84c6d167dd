const MARKER = 0xff;
const START = 0xd8;
const END = 0xd9;
const SCAN = 0xda;
/** Markers within a scan that belong to it: stuffed bytes and restarts. */
const isPartOfScan = (code: number): boolean => code === 0 || (code >= 0xd0 && code <= 0xd7);

/**
 * The first whole JPEG among these bytes, from its start to its end marker; undefined when there is none. Segments are
 * walked by their lengths, so that a small picture inside the first one's comments ends nothing.
 */
export function findJpeg(bytes: Uint8Array): Uint8Array | undefined {
  for (let at = 0; at + 3 < bytes.length; at += 1) {
    if (bytes[at] !== MARKER || bytes[at + 1] !== START || bytes[at + 2] !== MARKER) continue;
    const end = endOfJpeg(bytes, at + 2);
    if (end !== undefined) return bytes.subarray(at, end);
  }
  return undefined;
}

function endOfJpeg(bytes: Uint8Array, first: number): number | undefined {
  let at = first;
  while (at + 4 <= bytes.length && bytes[at] === MARKER) {
    const code = bytes[at + 1] ?? 0;
    if (code === END) return at + 2;
    const length = ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0);
    if (length < 2) return undefined;
    at += 2 + length;
    if (code === SCAN) at = endOfScan(bytes, at);
  }
  return at + 2 <= bytes.length && bytes[at] === MARKER && bytes[at + 1] === END ? at + 2 : undefined;
}

function endOfScan(bytes: Uint8Array, first: number): number {
  let at = first;
  while (at + 1 < bytes.length && (bytes[at] !== MARKER || isPartOfScan(bytes[at + 1] ?? 0))) at += 1;
  return at;
}

/** Whether a file is an AVI, by its first twelve bytes. */
export function isAvi(bytes: Uint8Array): boolean {
  const text = String.fromCharCode(...bytes.subarray(0, 12));
  return text.startsWith('RIFF') && text.endsWith('AVI ');
}
