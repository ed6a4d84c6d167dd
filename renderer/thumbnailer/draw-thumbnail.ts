import {
  type MadeFacts,
  type NoThumbnailReason,
  MAX_MADE_BYTES,
  MAX_THUMBNAIL_SIDE,
} from '../../shared/domain/thumbnail-answer.ts';

/** Why one way of making a thumbnail failed; reported when no other way succeeds. */
export class ThumbnailError extends Error {
  readonly reason: NoThumbnailReason;
  readonly codec: string | undefined;

  constructor(reason: NoThumbnailReason, codec?: string | null) {
    super(reason);
    this.reason = reason;
    this.codec = codec ?? undefined;
  }
}

/** Largest side that any recorder writes; a larger one means a false header, and would exhaust memory. */
const MAX_FRAME_SIDE = 16_384;
/** Best first; the others are for the rare thumbnail that gets too large. */
const QUALITIES = [0.8, 0.6, 0.4, 0.2];

/** A decoded frame as displayed: rotated, and with square pixels. */
export interface VideoImage {
  readonly width: number;
  readonly height: number;
  readonly atMs: number;
  readonly by: MadeFacts['by'];
  draw(context: OffscreenCanvasRenderingContext2D, width: number, height: number): void;
}

/** A finished thumbnail. */
export interface DrawnThumbnail {
  readonly jpeg: Uint8Array<ArrayBuffer>;
  readonly facts: MadeFacts;
}

/** Rejects impossible sizes. A video element reports zero for a codec that it cannot decode. */
export function checkSize(width: number, height: number, codec?: string | null): void {
  if (!(width > 0 && height > 0)) throw new ThumbnailError('codec', codec);
  if (width > MAX_FRAME_SIDE || height > MAX_FRAME_SIDE) throw new ThumbnailError('size');
}

/**
 * Draws the frame scaled down and encodes it as JPEG. Rejects with `ThumbnailError` `black`, `torn`, `size`, `codec` or
 * `damaged`.
 */
export async function drawThumbnail(frame: VideoImage): Promise<DrawnThumbnail> {
  checkSize(frame.width, frame.height);
  const scale = Math.min(1, MAX_THUMBNAIL_SIDE / Math.max(frame.width, frame.height));
  const width = Math.max(1, Math.round(frame.width * scale));
  const height = Math.max(1, Math.round(frame.height * scale));
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d', { alpha: false, willReadFrequently: true });
  if (context === null) throw new ThumbnailError('damaged');
  context.imageSmoothingQuality = 'high';
  frame.draw(context, width, height);
  const verdict = judgeFrame(context.getImageData(0, 0, width, height).data, width, height);
  if (verdict !== 'fine') throw new ThumbnailError(verdict);
  const { atMs, by } = frame;
  return { jpeg: await encode(canvas), facts: { width, height, atMs: Math.max(0, Math.round(atMs)), by } };
}

async function encode(canvas: OffscreenCanvas): Promise<Uint8Array<ArrayBuffer>> {
  for (const quality of QUALITIES) {
    const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality });
    if (blob.size < MAX_MADE_BYTES) return new Uint8Array(await blob.arrayBuffer());
  }
  throw new ThumbnailError('damaged');
}

/** Quality of a decoded frame: `black` also covers any single colour, as a decoder without data produces. */
type Verdict = 'fine' | 'black' | 'torn';

/** Highest mean luma, of 255, at which a low-contrast frame counts as black. */
const BLACK_MEAN = 24;

/** Standard deviation of luma below which a dark frame counts as black: sensor noise in the dark is 2 to 6. */
const BLACK_SPREAD = 8;

/** Standard deviation of luma below which any frame counts as a single colour. */
const FLAT_SPREAD = 1.5;

/** Share of the height, from the bottom, that has exactly one colour where a decoder stopped halfway. */
const TORN_SHARE = 1 / 3;

/** Judges RGBA pixels, given row by row from the top. */
export function judgeFrame(pixels: Uint8ClampedArray, width: number, height: number): Verdict {
  const { mean, spread } = measureLuma(pixels);
  if (spread < FLAT_SPREAD || (mean < BLACK_MEAN && spread < BLACK_SPREAD)) return 'black';
  return isTorn(pixels, width, height) ? 'torn' : 'fine';
}

/** Mean and standard deviation of luma (BT.601), 0 to 255. */
function measureLuma(pixels: Uint8ClampedArray): { readonly mean: number; readonly spread: number } {
  let sum = 0;
  let squares = 0;
  const count = Math.max(1, pixels.length / 4);
  for (let at = 0; at < pixels.length; at += 4) {
    const luma = 0.299 * (pixels[at] ?? 0) + 0.587 * (pixels[at + 1] ?? 0) + 0.114 * (pixels[at + 2] ?? 0);
    sum += luma;
    squares += luma * luma;
  }
  const mean = sum / count;
  return { mean, spread: Math.sqrt(Math.max(0, squares / count - mean * mean)) };
}

/** One colour at the bottom but not at the top: letterbox bars are on both sides. */
function isTorn(pixels: Uint8ClampedArray, width: number, height: number): boolean {
  const limit = Math.ceil(height * TORN_SHARE);
  const rows = Array.from({ length: height }, (_, row) => row);
  const bottom = pixels.subarray((height - limit) * width * 4);
  // A decoder leaves grey or green; black is night
  if (measureLuma(bottom).mean < BLACK_MEAN) return false;
  return isFlat(pixels, width, rows.slice(-limit)) && !isFlat(pixels, width, rows.slice(0, limit));
}

function isFlat(pixels: Uint8ClampedArray, width: number, rows: readonly number[]): boolean {
  const begin = (rows[0] ?? 0) * width * 4;
  return rows.every((row) => {
    for (let at = row * width * 4; at < (row + 1) * width * 4; at += 4)
      for (let channel = 0; channel < 3; channel += 1)
        if (Math.abs((pixels[at + channel] ?? 0) - (pixels[begin + channel] ?? 0)) > 1) return false;
    return true;
  });
}

/** Latest time of the first attempt, seconds: operators expect the beginning of what they exported. */
const LATEST_FIRST_S = 3;
/** Tried next, seconds: recordings may fade in from black. */
const LATER_S = [6, 12];
/** Then across the clip, as shares of its length. */
const LATER_SHARES = [0.25, 0.5, 0.75, 0.95];
/** For an unknown length, seconds: a time after the end yields the last frame. */
const UNKNOWN_S = [3, 1, 6, 12, 30, 0];

/** The times at which a clip's thumbnail is tried, seconds, best first; `durationS` may be unknown. */
export function planTimes(durationS: number | undefined): readonly number[] {
  if (durationS === undefined || !Number.isFinite(durationS) || durationS <= 0) return UNKNOWN_S;
  const first = Math.min(durationS / 10, LATEST_FIRST_S);
  const later = [
    ...LATER_S.filter((at) => at < durationS),
    ...LATER_SHARES.map((share) => share * durationS),
  ];
  return [...new Set([first, ...later.filter((at) => at > first), 0])];
}
