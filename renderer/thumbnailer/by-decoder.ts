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
import type { ClipReader } from './clip-reader.ts';
import { checkSize, drawThumbnail, type DrawnThumbnail } from './draw-thumbnail.ts';
import { planTimes } from './plan-times.ts';
import { ThumbnailError } from './thumbnail-error.ts';

/** Containers of single files. Play lists are none: they would lead to other addresses. */
const FORMATS = [MP4, QTFF, MATROSKA, WEBM, MPEG_TS];
/** Room for what was read, bytes. */
const CACHE_BYTES = 16 * 1024 * 1024;

/** A thumbnail by the decoders of the browser, which see one frame after the other. Rejects with `ThumbnailError`. */
export async function makeByDecoder(reader: ClipReader, signal: AbortSignal): Promise<DrawnThumbnail> {
  // The library wraps what a read rejects with
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
  // Without any track its index is missing: it was cut off
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

/** The first that is neither black nor torn nor broken. */
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
      // One broken frame says nothing of the others; black is the better reason of the two
      if (!(firstError instanceof ThumbnailError)) firstError = error;
    }
  }
  throw firstError ?? new ThumbnailError('damaged');
}
