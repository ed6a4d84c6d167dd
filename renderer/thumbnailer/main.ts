import type { NoThumbnailReason, PageAnswer } from '../../shared/domain/thumbnail-answer.ts';
import { MAX_CLIP_BYTES_READ, THUMBNAIL_DEADLINE_MS } from '../../shared/domain/thumbnail-limits.ts';
import { makeByAviFrame } from './by-avi-frame.ts';
import { makeByDecoder } from './by-decoder.ts';
import { makeByElement } from './by-element.ts';
import { createClipReader } from './clip-reader.ts';
import type { Thumbnail } from './draw-thumbnail.ts';
import { Trouble } from './trouble.ts';

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

await main();

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
