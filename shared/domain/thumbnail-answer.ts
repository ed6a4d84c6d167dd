import { z } from 'zod';

/** Longest side of a picture that is made, pixels: a list shows it small, a phone at full width. */
export const MAX_THUMBNAIL_SIDE = 640;
/** Largest picture that is made, bytes. */
export const MAX_MADE_BYTES = 200_000;
/** How long the making of one picture may take, milliseconds: most take less than one second. */
export const THUMBNAIL_DEADLINE_MS = 20_000;
/** Most bytes of a clip that are read for its picture: an index of 24 hours and some seconds of 4K fit in. */
export const MAX_CLIP_BYTES_READ = 64 * 1024 * 1024;

/**
 * How a picture came out of a clip: frame by frame with the browser's decoders, by a video element that was asked to
 * seek, or cut as it is out of an AVI of JPEG frames.
 */
const thumbnailWays = ['decoder', 'element', 'aviFrame'] as const;

/**
 * Why there is no picture: `format` nothing here reads the container; `codec` nothing decodes the video; `noVideo` no
 * video track; `size` stated dimensions beyond reason; `black` and `torn` all frames that were tried; `read` bytes that
 * could not be had; `limit` more bytes would be needed than are read; `damaged` the container or its frames are broken;
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
/** There is no picture, and why. */
export type NoThumbnail = z.infer<typeof noThumbnailSchema>;

/** What is known of a picture that was made; `atMs` is its time in the clip. */
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

/** Four characters of text for three bytes. */
const MAX_BASE64_LENGTH = Math.ceil(MAX_MADE_BYTES / 3) * 4;

/** What the page of the hidden window answers: it reads foreign files, so that nothing it says is believed unchecked. */
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

/** A picture of a clip, or why there is none. */
export type ThumbnailAnswer =
  | { readonly kind: 'made'; readonly jpeg: Uint8Array<ArrayBuffer>; readonly facts: MadeFacts }
  | NoThumbnail;
