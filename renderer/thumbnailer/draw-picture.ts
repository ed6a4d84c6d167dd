import type { MadeFacts } from '../../shared/domain/thumbnail-answer.ts';
import { MAX_MADE_BYTES, MAX_THUMBNAIL_SIDE } from '../../shared/domain/thumbnail-limits.ts';
import { judgeFrame } from './judge-frame.ts';
import { Trouble } from './trouble.ts';

/** Largest side that any recorder writes; above it a header lies, or the frame would fill the memory. */
const MAX_FRAME_SIDE = 16_384;
/** Best first; the others for the rare picture that is too large. */
const QUALITIES = [0.8, 0.6, 0.4, 0.2];

/** A decoded frame as it is displayed: turned, and with square pixels. */
export interface Frame {
  readonly width: number;
  readonly height: number;
  readonly atMs: number;
  readonly by: MadeFacts['by'];
  draw(context: OffscreenCanvasRenderingContext2D, width: number, height: number): void;
}

/** A picture as it is answered. */
export interface Picture {
  readonly jpeg: Uint8Array<ArrayBuffer>;
  readonly facts: MadeFacts;
}

/** Refuses sizes that no frame has. Zero is what a video element answers for a codec that it cannot decode. */
export function checkSize(width: number, height: number, codec?: string | null): void {
  if (!(width > 0 && height > 0)) throw new Trouble('codec', codec);
  if (width > MAX_FRAME_SIDE || height > MAX_FRAME_SIDE) throw new Trouble('size');
}

/** Draws the frame small and writes it as JPEG. Rejects with `Trouble` `black`, `torn`, `size` or `codec`. */
export async function drawPicture(frame: Frame): Promise<Picture> {
  checkSize(frame.width, frame.height);
  const scale = Math.min(1, MAX_THUMBNAIL_SIDE / Math.max(frame.width, frame.height));
  const width = Math.max(1, Math.round(frame.width * scale));
  const height = Math.max(1, Math.round(frame.height * scale));
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d', { alpha: false, willReadFrequently: true });
  if (context === null) throw new Trouble('damaged');
  context.imageSmoothingQuality = 'high';
  frame.draw(context, width, height);
  const verdict = judgeFrame(context.getImageData(0, 0, width, height).data, width, height);
  if (verdict !== 'fine') throw new Trouble(verdict);
  const { atMs, by } = frame;
  return { jpeg: await encode(canvas), facts: { width, height, atMs: Math.max(0, Math.round(atMs)), by } };
}

async function encode(canvas: OffscreenCanvas): Promise<Uint8Array<ArrayBuffer>> {
  for (const quality of QUALITIES) {
    const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality });
    if (blob.size < MAX_MADE_BYTES) return new Uint8Array(await blob.arrayBuffer());
  }
  throw new Trouble('damaged');
}
