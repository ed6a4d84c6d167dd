import { checkSize, drawThumbnail, type Thumbnail } from './draw-thumbnail.ts';
import { planTimes } from './plan-times.ts';
import { Trouble } from './trouble.ts';

/** How often it is told to seek, at most: each may read a group of pictures again. */
const MAX_SEEKS = 6;

/** A thumbnail by a video element, which knows containers and codecs that decoders alone do not. Rejects with `Trouble`. */
export async function makeByElement(address: URL, signal: AbortSignal): Promise<Thumbnail> {
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
    // Ends what it still reads
    video.removeAttribute('src');
    video.load();
  }
}

async function firstThumbnail(video: HTMLVideoElement, signal: AbortSignal): Promise<Thumbnail> {
  let trouble: Trouble | undefined;
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
      if (!(error instanceof Trouble)) throw error;
      trouble ??= error;
    }
  }
  throw trouble ?? new Trouble('damaged');
}

/** Resolves when the frame of that moment is the one that would be drawn. */
async function seek(video: HTMLVideoElement, atS: number, signal: AbortSignal): Promise<void> {
  const shown = new Promise<void>((resolve) => {
    video.requestVideoFrameCallback(() => resolve());
  });
  const sought = until(video, 'seeked', signal);
  // The same moment again would be no seek at all
  video.currentTime = atS === video.currentTime ? atS + 0.001 : atS;
  await sought;
  // A page that nobody sees is not told of its frames in every version
  if (video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) await Promise.race([shown, aborted(signal)]);
}

function until(
  video: HTMLVideoElement,
  event: 'loadedmetadata' | 'seeked',
  signal: AbortSignal,
): Promise<void> {
  const happened = new Promise<void>((resolve, reject) => {
    video.addEventListener(event, () => resolve(), { once: true });
    video.addEventListener('error', () => reject(troubleOf(video.error)), { once: true });
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

function troubleOf(error: MediaError | null): Trouble {
  switch (error?.code) {
    case MediaError.MEDIA_ERR_NETWORK:
      return new Trouble('read');
    case MediaError.MEDIA_ERR_DECODE:
      return new Trouble('damaged');
    default:
      return new Trouble('format');
  }
}
