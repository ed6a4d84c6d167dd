import type { NoThumbnailReason, PageAnswer } from '../../shared/domain/thumbnail-answer.ts';
import { MAX_CLIP_BYTES_READ, THUMBNAIL_DEADLINE_MS } from '../../shared/domain/thumbnail-limits.ts';
import { makeByAviFrame } from './by-avi-frame.ts';
import { makeByDecoder } from './by-decoder.ts';
import { createClipReader } from './clip-reader.ts';
import type { Thumbnail } from './draw-thumbnail.ts';
import { Trouble } from './trouble.ts';
import { checkSize, drawThumbnail } from './draw-thumbnail.ts';
import { planTimes } from './plan-times.ts';

/**
 * The page of a hidden window: its address says where the clip is (`clip`), where the answer goes (`answer`), and how
 * long it may take (`deadlineMs`). All of it is on the page's own origin; the policy of the page allows no other.
 */
async function main(): Promise<void> {
  const told = new URLSearchParams(location.search);
  const clip = ownAddress(told.get('clip'));
  const answer = ownAddress(told.get('answer'));
  const deadlineMs = Number(told.get('deadlineMs') ?? THUMBNAIL_DEADLINE_MS);
  const body = JSON.stringify(await makeAnswer(clip, AbortSignal.timeout(deadlineMs)));
  // oxlint-disable-next-line no-restricted-globals
  await fetch(answer, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
}

async function makeAnswer(clip: URL, signal: AbortSignal): Promise<PageAnswer> {
  try {
    const late = new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Trouble('deadline')), { once: true });
    });
    const { jpeg, facts } = await Promise.race([makeThumbnail(clip, signal), late]);
    return { kind: 'made', jpeg: base64Of(jpeg), facts };
  } catch (error) {
    const { reason, codec } = error instanceof Trouble ? error : new Trouble('damaged');
    return { kind: 'none', reason, ...(codec === undefined ? {} : { codec }) };
  }
}

function ownAddress(path: string | null): URL {
  const address = new URL(path ?? '', location.href);
  if (path === null || address.host !== location.host || address.protocol !== location.protocol)
    throw new Error('The page was not told where the clip is');
  return address;
}

function base64Of(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

/** Reasons after which no other way can do better: the frames were seen, or the bytes cannot be had. */
const FINAL: ReadonlySet<NoThumbnailReason> = new Set(['black', 'torn', 'size', 'read', 'limit', 'noVideo']);

/** The more a reason says, the earlier it stands here. */
const TELLING: readonly NoThumbnailReason[] = ['codec', 'damaged', 'format'];

/** A thumbnail of the clip at this address. Rejects with `Trouble`, `deadline` when the signal aborts. */
async function makeThumbnail(address: URL, signal: AbortSignal): Promise<Thumbnail> {
  const reader = createClipReader(address, MAX_CLIP_BYTES_READ, signal);
  const ways = [
    () => makeByAviFrame(reader),
    () => makeByDecoder(reader, signal),
    () => makeByElement(address, signal),
  ];
  const troubles: Trouble[] = [];
  for (const way of ways) {
    try {
      return await way();
    } catch (error) {
      if (signal.aborted) throw new Trouble('deadline');
      const trouble = error instanceof Trouble ? error : new Trouble('damaged');
      if (FINAL.has(trouble.reason)) throw trouble;
      troubles.push(trouble);
    }
  }
  const rank = ({ reason }: Trouble): number => TELLING.indexOf(reason);
  throw troubles.toSorted((one, other) => rank(one) - rank(other))[0] ?? new Trouble('damaged');
}

/** How often it is told to seek, at most: each may read a group of pictures again. */
const MAX_SEEKS = 6;

/** A thumbnail by a video element, which knows containers and codecs that decoders alone do not. Rejects with `Trouble`. */
async function makeByElement(address: URL, signal: AbortSignal): Promise<Thumbnail> {
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

await main();
