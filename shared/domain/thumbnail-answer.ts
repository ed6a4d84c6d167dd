import { z } from 'zod';

/** Longest side of a thumbnail that is made, pixels: a list shows it small, a phone at full width. */
export const MAX_THUMBNAIL_SIDE = 640;
/** Largest thumbnail that is made, bytes. */
export const MAX_MADE_BYTES = 200_000;
/** How long making one thumbnail may take, milliseconds: most take less than one second. */
export const THUMBNAIL_DEADLINE_MS = 20_000;
/** Most bytes of a clip that are read for its thumbnail: enough for an index of 24 hours and some seconds of 4K. */
export const MAX_CLIP_BYTES_READ = 64 * 1024 * 1024;

/**
 * How a thumbnail was made: frame by frame with the browser's decoders, by seeking in a video element, or by copying a
 * frame unchanged from an AVI of JPEG frames.
 */
const thumbnailWays = ['decoder', 'element', 'aviFrame'] as const;

/**
 * Why there is no thumbnail: `format` nothing here reads the container; `codec` nothing decodes the video; `noVideo` no
 * video track; `size` implausible dimensions; `black` and `torn` all frames that were tried; `read` bytes that could
 * not be read; `limit` more bytes would be needed than are read; `damaged` the container or its frames are broken;
 * `deadline`; `crash` of the page; `off` after crashes in a row.
 */
export const noThumbnailReasons = [
  'format',
  'codec',
  'noVideo',
  'size',
  'black',
  'torn',
  'read',
  'limit',
  'damaged',
  'deadline',
  'crash',
  'off',
] as const;
/** One of `noThumbnailReasons`. */
export type NoThumbnailReason = (typeof noThumbnailReasons)[number];

const noThumbnailSchema = z
  .strictObject({
    kind: z.literal('none'),
    reason: z.enum(noThumbnailReasons),
    /** The codec that could not be decoded, as the container names it: `hevc`, `mpeg4`. */
    codec: z
      .string()
      .regex(/^[\w.-]{1,32}$/)
      .exactOptional(),
  })
  .readonly();
/** There is no thumbnail, and why. */
export type NoThumbnail = z.infer<typeof noThumbnailSchema>;

/** Facts about a thumbnail that was made; `atMs` is its time in the clip. */
export const madeFactsSchema = z
  .object({
    width: z.int().min(1).max(MAX_THUMBNAIL_SIDE),
    height: z.int().min(1).max(MAX_THUMBNAIL_SIDE),
    atMs: z.int().min(0),
    by: z.enum(thumbnailWays),
  })
  .readonly();
/** See `madeFactsSchema`. */
export type MadeFacts = z.infer<typeof madeFactsSchema>;

/** Base64 has four characters for three bytes. */
const MAX_BASE64_LENGTH = Math.ceil(MAX_MADE_BYTES / 3) * 4;

/** The answer of the page in the hidden window. The page reads untrusted files, so everything it says is validated. */
export const pageAnswerSchema = z.discriminatedUnion('kind', [
  z
    .strictObject({
      kind: z.literal('made'),
      jpeg: z.base64().max(MAX_BASE64_LENGTH),
      facts: madeFactsSchema,
    })
    .readonly(),
  noThumbnailSchema,
]);
/** See `pageAnswerSchema`. */
export type PageAnswer = z.infer<typeof pageAnswerSchema>;

/** A thumbnail of a clip, or why there is none. */
export type ThumbnailAnswer =
  | { readonly kind: 'made'; readonly jpeg: Uint8Array<ArrayBuffer>; readonly facts: MadeFacts }
  | NoThumbnail;
