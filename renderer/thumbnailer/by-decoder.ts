import {
  CustomSource,
  Input,
  MATROSKA,
  MP4,
  MPEG_TS,
  QTFF,
  VideoSampleSink,
  WEBM,
  type InputVideoTrack,
} from 'mediabunny';
import {
  checkSize,
  drawThumbnail,
  type DrawnThumbnail,
  ThumbnailError,
  planTimes,
} from './draw-thumbnail.ts';

/** Containers of single files. Playlists are excluded: they refer to other addresses. */
const FORMATS = [MP4, QTFF, MATROSKA, WEBM, MPEG_TS];
/** Size of the read cache, bytes. */
const CACHE_BYTES = 16 * 1024 * 1024;

/** Makes a thumbnail with the browser's decoders, frame by frame. Rejects with `ThumbnailError`. */
export async function makeByDecoder(reader: ClipReader, signal: AbortSignal): Promise<DrawnThumbnail> {
  // The library wraps the errors of reads, so they are collected here
  const readErrors: ThumbnailError[] = [];
  const source = new CustomSource({
    getSize: () => reader.size(),
    async read(start, end) {
      try {
        return await reader.read(start, end);
      } catch (error) {
        if (error instanceof ThumbnailError) readErrors.push(error);
        throw error;
      }
    },
    maxCacheSize: CACHE_BYTES,
    prefetchProfile: 'fileSystem',
    handleUnhandledError: () => undefined,
  });
  using input = new Input({ source, formats: FORMATS });
  const end = (): void => input.dispose();
  signal.addEventListener('abort', end, { once: true });
  try {
    return await thumbnailOf(input, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof ThumbnailError ? error : (readErrors[0] ?? new ThumbnailError('damaged'));
  } finally {
    signal.removeEventListener('abort', end);
  }
}

async function thumbnailOf(input: Input<CustomSource>, signal: AbortSignal): Promise<DrawnThumbnail> {
  if (!(await input.canRead())) throw new ThumbnailError('format');
  const track = await input.getPrimaryVideoTrack();
  // No tracks at all means that the index is missing: the file was cut off
  if (track === null)
    throw new ThumbnailError((await input.getTracks()).length === 0 ? 'damaged' : 'noVideo');
  const codec = await track.getCodec();
  checkSize(await track.getCodedWidth(), await track.getCodedHeight(), codec);
  if (!(await track.canDecode())) throw new ThumbnailError('codec', codec);
  const durationS = await input.getDurationFromMetadata([track]);
  const startS = Math.max(0, await track.getFirstTimestamp());
  return firstThumbnail(
    track,
    startS,
    planTimes(durationS === null ? undefined : durationS - startS),
    signal,
  );
}

/** The first frame that is neither black nor torn nor broken. */
async function firstThumbnail(
  track: InputVideoTrack,
  startS: number,
  times: readonly number[],
  signal: AbortSignal,
): Promise<DrawnThumbnail> {
  const sink = new VideoSampleSink(track);
  let firstError: unknown;
  const seen = new Set<number>();
  for (const atS of times) {
    signal.throwIfAborted();
    try {
      using sample = await sink.getSample(startS + atS, { verifyKeyPackets: true });
      if (sample === null || seen.has(sample.timestamp)) continue;
      seen.add(sample.timestamp);
      return await drawThumbnail({
        width: sample.displayWidth,
        height: sample.displayHeight,
        atMs: (sample.timestamp - startS) * 1000,
        by: 'decoder',
        draw: (context, width, height) => sample.draw(context, 0, 0, width, height),
      });
    } catch (error) {
      if (error instanceof ThumbnailError && error.reason !== 'black' && error.reason !== 'torn') throw error;
      // One broken frame says nothing about the others; between the two, black is the better reason
      if (!(firstError instanceof ThumbnailError)) firstError = error;
    }
  }
  throw firstError ?? new ThumbnailError('damaged');
}

/** How much of the file is searched, bytes: the header and a few JPEG frames. */
const MAX_LOOK_BYTES = 1024 * 1024;
const HEADER_BYTES = 12;

/**
 * Makes a thumbnail from the first frame of a Motion JPEG AVI. Rejects with `ThumbnailError`; `format` when it is not
 * an AVI.
 */
export async function makeByAviFrame(reader: ClipReader): Promise<DrawnThumbnail> {
  const sizeBytes = await reader.size();
  if (sizeBytes < HEADER_BYTES || !isAvi(await reader.read(0, HEADER_BYTES)))
    throw new ThumbnailError('format');
  const frame = findJpeg(await reader.read(0, Math.min(sizeBytes, MAX_LOOK_BYTES)));
  if (frame === undefined) throw new ThumbnailError('codec');
  using image = new ClosedBitmap(await decode(frame));
  const { bitmap } = image;
  return await drawThumbnail({
    width: bitmap.width,
    height: bitmap.height,
    atMs: 0,
    by: 'aviFrame',
    draw: (context, width, height) => context.drawImage(bitmap, 0, 0, width, height),
  });
}

/** Frees the bitmap's memory at the end of the block (`using`). */
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
    throw new ThumbnailError('damaged');
  }
}

const MARKER = 0xff;

const START = 0xd8;

const END = 0xd9;

const SCAN = 0xda;

/** Markers that belong to the scan data: stuffed bytes and restarts. */
const isPartOfScan = (code: number): boolean => code === 0 || (code >= 0xd0 && code <= 0xd7);

/**
 * The first whole JPEG among these bytes, from its start to its end marker; undefined when there is none. Segments are
 * skipped by their lengths, so that a thumbnail embedded in a segment does not end the search early.
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

/** Whether a file is an AVI, judging by its first twelve bytes. */
export function isAvi(bytes: Uint8Array): boolean {
  const text = String.fromCharCode(...bytes.subarray(0, 12));
  return text.startsWith('RIFF') && text.endsWith('AVI ');
}

/** Largest range per request, bytes; the server returns no more at a time. */
const MAX_CHUNK_BYTES = 1024 * 1024;
const CONTENT_RANGE = /^bytes (\d+)-(\d+)\/(\d+)$/;

/** Reads ranges of the clip, up to a total limit. Both reject with `ThumbnailError` `read` or `limit`. */
interface ClipReader {
  /** Size of the whole clip, bytes. */
  size(): Promise<number>;
  /** Bytes from `start` up to, but not including, `end`. */
  read(start: number, end: number): Promise<Uint8Array<ArrayBuffer>>;
}

/** Makes a reader of the clip at an address of this page's own origin. */
export function createClipReader(address: URL, maxBytes: number, signal: AbortSignal): ClipReader {
  let bytesLeft = maxBytes;
  let sizeBytes: number | undefined;

  async function ask(start: number, end: number): Promise<Uint8Array<ArrayBuffer>> {
    bytesLeft -= end - start;
    if (bytesLeft < 0) throw new ThumbnailError('limit');
    const answer = await request(address, start, end, signal);
    const [, from, , total] = CONTENT_RANGE.exec(answer.headers.get('content-range') ?? '') ?? [];
    const bytes = new Uint8Array(await answer.arrayBuffer());
    if (answer.status !== 206 || Number(from) !== start || bytes.length === 0 || bytes.length > end - start)
      throw new ThumbnailError('read');
    sizeBytes = Number(total);
    return bytes;
  }

  async function read(start: number, end: number): Promise<Uint8Array<ArrayBuffer>> {
    const whole = new Uint8Array(end - start);
    for (let done = 0; done < whole.length;) {
      const bytes = await ask(start + done, Math.min(end, start + done + MAX_CHUNK_BYTES));
      whole.set(bytes, done);
      done += bytes.length;
    }
    return whole;
  }

  return {
    read,
    async size() {
      if (sizeBytes === undefined) await ask(0, 1);
      return sizeBytes ?? 0;
    },
  };
}

async function request(address: URL, start: number, end: number, signal: AbortSignal): Promise<Response> {
  try {
    // The clip is on this page's own origin, served by the host of the page
    // oxlint-disable-next-line no-restricted-globals
    return await fetch(address, { headers: { range: `bytes=${start}-${end - 1}` }, signal });
  } catch (error) {
    signal.throwIfAborted();
    throw new ThumbnailError('read', error instanceof ThumbnailError ? error.codec : undefined);
  }
}
