import {
  imageTypes,
  MAX_IMAGE_BYTES,
  type ImageCheck,
  type ImageType,
} from '../../../../shared/domain/chat-message.ts';
import { formatBytes } from '../../../../shared/lib/bytes.ts';

/** What was seen of an image: its size, counted when nothing states it, and the type of its first bytes (`png`, `webp` ...). */
export interface SeenImage {
  readonly sizeBytes: number;
  readonly foundType: string | undefined;
}

/** Holds an image that was seen against the rules of service.md "Limits" and the type that is stated for it. */
export function judgeImage({ sizeBytes, foundType }: SeenImage, stated: ImageType): ImageCheck {
  if (sizeBytes === 0) return { kind: 'refused', reason: 'The address brings an empty file.' };
  if (sizeBytes > MAX_IMAGE_BYTES) return tooLargeImage(sizeBytes);
  const type = knownType(foundType);
  if (type === undefined) return { kind: 'refused', reason: `The address brings ${otherThing(foundType)}.` };
  if (type !== stated)
    return { kind: 'refused', reason: `The image is a ${type} file, stated is ${stated}.` };
  return { kind: 'fine', type, sizeBytes };
}

/** An image over the limit; `sizeBytes` may be what was counted until then. */
export function tooLargeImage(sizeBytes: number): ImageCheck {
  const limit = formatBytes(MAX_IMAGE_BYTES);
  return {
    kind: 'refused',
    reason: `The image has ${formatBytes(sizeBytes)} or more; at most ${limit} are taken.`,
  };
}

/** An animated PNG is a PNG to whoever shows it. */
const knownType = (found: string | undefined): ImageType | undefined =>
  imageTypes.find((type) => type === (found === 'apng' ? 'png' : found));

const otherThing = (found: string | undefined): string =>
  found === undefined ? 'no png, jpg or gif image' : `a ${found} file, not a png, jpg or gif image`;
