import {
  type NoThumbnailReason,
  type PageAnswer,
  MAX_CLIP_BYTES_READ,
  THUMBNAIL_DEADLINE_MS,
} from '../../shared/domain/thumbnail-answer.ts';
import { makeByAviFrame, makeByDecoder, createClipReader } from './by-decoder.ts';
import {
  type DrawnThumbnail,
  checkSize,
  drawThumbnail,
  ThumbnailError,
  planTimes,
} from './draw-thumbnail.ts';

/**
 * The page of a hidden window: the query of its address has the clip (`clip`), where to send the answer (`answer`), and
 * the time limit (`deadlineMs`). Everything is on the page's own origin; the policy of the page allows no other.
 */
async function main(): Promise<void> {
  const query = new URLSearchParams(location.search);
  const clip = ownAddress(query.get('clip'));
  const answer = ownAddress(query.get('answer'));
  const deadlineMs = Number(query.get('deadlineMs') ?? THUMBNAIL_DEADLINE_MS);
  const body = JSON.stringify(await makeAnswer(clip, AbortSignal.timeout(deadlineMs)));
  // oxlint-disable-next-line no-restricted-globals
  await fetch(answer, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
}

async function makeAnswer(clip: URL, signal: AbortSignal): Promise<PageAnswer> {
  try {
    const late = new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new ThumbnailError('deadline')), { once: true });
    });
    const { jpeg, facts } = await Promise.race([makeThumbnail(clip, signal), late]);
    return { kind: 'made', jpeg: base64Of(jpeg), facts };
  } catch (error) {
    const { reason, codec } = error instanceof ThumbnailError ? error : new ThumbnailError('damaged');
    return { kind: 'none', reason, ...(codec === undefined ? {} : { codec }) };
  }
}

function ownAddress(path: string | null): URL {
  const address = new URL(path ?? '', location.href);
  if (path === null || address.host !== location.host || address.protocol !== location.protocol)
    throw new Error('The address of the clip is missing');
  return address;
}

function base64Of(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

/** Reasons after which no other way can do better: the frames were seen, or the bytes are unavailable. */
const FINAL: ReadonlySet<NoThumbnailReason> = new Set(['black', 'torn', 'size', 'read', 'limit', 'noVideo']);

/** Most informative reason first. */
const MOST_TELLING: readonly NoThumbnailReason[] = ['codec', 'damaged', 'format'];

/** Makes a thumbnail of the clip at this address. Rejects with `ThumbnailError`, `deadline` when the signal aborts. */
async function makeThumbnail(address: URL, signal: AbortSignal): Promise<DrawnThumbnail> {
  const reader = createClipReader(address, MAX_CLIP_BYTES_READ, signal);
  const ways = [
    () => makeByAviFrame(reader),
    () => makeByDecoder(reader, signal),
    () => makeByElement(address, signal),
  ];
  const errors: ThumbnailError[] = [];
  for (const way of ways) {
    try {
      return await way();
    } catch (error) {
      if (signal.aborted) throw new ThumbnailError('deadline');
      const failed = error instanceof ThumbnailError ? error : new ThumbnailError('damaged');
      if (FINAL.has(failed.reason)) throw failed;
      errors.push(failed);
    }
  }
  const rank = ({ reason }: ThumbnailError): number => MOST_TELLING.indexOf(reason);
  throw errors.toSorted((one, other) => rank(one) - rank(other))[0] ?? new ThumbnailError('damaged');
}

/** Maximum number of seeks: each may read a group of pictures again. */
const MAX_SEEKS = 6;

/**
 * Makes a thumbnail with a video element, which knows containers and codecs that the decoders alone do not. Rejects
 * with `ThumbnailError`.
 */
async function makeByElement(address: URL, signal: AbortSignal): Promise<DrawnThumbnail> {
  const video = document.createElement('video');
  video.muted = true;
  video.preload = 'auto';
  video.disableRemotePlayback = true;
  const loaded = until(video, 'loadedmetadata', signal);
  video.src = address.href;
  try {
    await loaded;
    checkSize(video.videoWidth, video.videoHeight);
    return await firstThumbnail(video, signal);
  } finally {
    // Stops any reads in progress
    video.removeAttribute('src');
    video.load();
  }
}

async function firstThumbnail(video: HTMLVideoElement, signal: AbortSignal): Promise<DrawnThumbnail> {
  let firstError: ThumbnailError | undefined;
  for (const atS of planTimes(video.duration).slice(0, MAX_SEEKS)) {
    await seek(video, atS, signal);
    try {
      return await drawThumbnail({
        width: video.videoWidth,
        height: video.videoHeight,
        atMs: video.currentTime * 1000,
        by: 'element',
        draw: (context, width, height) => context.drawImage(video, 0, 0, width, height),
      });
    } catch (error) {
      if (!(error instanceof ThumbnailError)) throw error;
      firstError ??= error;
    }
  }
  throw firstError ?? new ThumbnailError('damaged');
}

/** How far before the wanted time the shown frame may begin, seconds. */
const FRAME_S = 0.1;
/** How long to wait for a frame, milliseconds: not every version reports frames to a hidden page. */
const FRAME_WAIT_MS = 500;

/** Resolves when the frame at that time is the one that would be drawn. */
async function seek(video: HTMLVideoElement, atS: number, signal: AbortSignal): Promise<void> {
  // After a seek, an element may show the previous frame for a moment
  const shown = new Promise<void>((resolve) => {
    const onFrame = (_now: number, { mediaTime }: VideoFrameCallbackMetadata): void => {
      if (mediaTime >= atS - FRAME_S) resolve();
      else video.requestVideoFrameCallback(onFrame);
    };
    video.requestVideoFrameCallback(onFrame);
  });
  const sought = until(video, 'seeked', signal);
  // Setting the current time again would not seek
  video.currentTime = atS === video.currentTime ? atS + 0.001 : atS;
  await sought;
  const waited = new Promise<void>((resolve) => {
    setTimeout(resolve, FRAME_WAIT_MS);
  });
  const hasFrame = video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA;
  await Promise.race([shown, ...(hasFrame ? [waited] : []), aborted(signal)]);
}

function until(
  video: HTMLVideoElement,
  event: 'loadedmetadata' | 'seeked',
  signal: AbortSignal,
): Promise<void> {
  const happened = new Promise<void>((resolve, reject) => {
    video.addEventListener(event, () => resolve(), { once: true });
    video.addEventListener('error', () => reject(errorOf(video.error)), { once: true });
  });
  return Promise.race([happened, aborted(signal)]);
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const fail = (): void => reject(signal.reason);
    if (signal.aborted) fail();
    else signal.addEventListener('abort', fail, { once: true });
  });
}

function errorOf(error: MediaError | null): ThumbnailError {
  switch (error?.code) {
    case MediaError.MEDIA_ERR_NETWORK:
      return new ThumbnailError('read');
    case MediaError.MEDIA_ERR_DECODE:
      return new ThumbnailError('damaged');
    default:
      return new ThumbnailError('format');
  }
}

await main();
