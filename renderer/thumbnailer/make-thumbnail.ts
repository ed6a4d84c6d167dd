import type { NoThumbnailReason } from '../../shared/domain/thumbnail-answer.ts';
import { MAX_CLIP_BYTES_READ } from '../../shared/domain/thumbnail-limits.ts';
import { makeByAviFrame } from './by-avi-frame.ts';
import { makeByDecoder } from './by-decoder.ts';
import { makeByElement } from './by-element.ts';
import { createClipReader } from './clip-reader.ts';
import type { Picture } from './draw-picture.ts';
import { Trouble } from './trouble.ts';

/** Reasons after which no other way can do better: the frames were seen, or the bytes cannot be had. */
const FINAL: ReadonlySet<NoThumbnailReason> = new Set(['black', 'torn', 'size', 'read', 'limit', 'noVideo']);
/** The more a reason says, the earlier it stands here. */
const TELLING: readonly NoThumbnailReason[] = ['codec', 'damaged', 'format'];

/** A picture of the clip at this address. Rejects with `Trouble`, `deadline` when the signal aborts. */
export async function makeThumbnail(address: URL, signal: AbortSignal): Promise<Picture> {
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
