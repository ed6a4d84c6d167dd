import type { ClipReader } from './clip-reader.ts';
import { drawPicture, type Picture } from './draw-picture.ts';
import { findJpeg, isAvi } from './find-jpeg.ts';
import { Trouble } from './trouble.ts';

/** How much of the file is looked through, bytes: the header and some frames of JPEG. */
const MAX_LOOK_BYTES = 1024 * 1024;
const HEADER_BYTES = 12;

/** The first frame of an AVI of JPEG frames, cut out as it is. Rejects with `Trouble`; `format` when it is no AVI. */
export async function makeByAviFrame(reader: ClipReader): Promise<Picture> {
  const sizeBytes = await reader.size();
  if (sizeBytes < HEADER_BYTES || !isAvi(await reader.read(0, HEADER_BYTES))) throw new Trouble('format');
  const frame = findJpeg(await reader.read(0, Math.min(sizeBytes, MAX_LOOK_BYTES)));
  if (frame === undefined) throw new Trouble('codec');
  using image = new ClosedBitmap(await decode(frame));
  const { bitmap } = image;
  return await drawPicture({
    width: bitmap.width,
    height: bitmap.height,
    atMs: 0,
    by: 'aviFrame',
    draw: (context, width, height) => context.drawImage(bitmap, 0, 0, width, height),
  });
}

/** Its memory is given back with the block that holds it. */
class ClosedBitmap {
  readonly bitmap: ImageBitmap;

  constructor(bitmap: ImageBitmap) {
    this.bitmap = bitmap;
  }

  [Symbol.dispose](): void {
    this.bitmap.close();
  }
}

async function decode(jpeg: Uint8Array): Promise<ImageBitmap> {
  try {
    return await createImageBitmap(new Blob([Uint8Array.from(jpeg)], { type: 'image/jpeg' }));
  } catch {
    throw new Trouble('damaged');
  }
}
