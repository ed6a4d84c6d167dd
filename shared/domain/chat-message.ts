import { z } from 'zod';
import { serviceIdSchema } from './ids.ts';

/** Largest notification image, bytes (service.md "Limits": at most 10 MB). */
export const MAX_IMAGE_BYTES = 10_000_000;
/** Types of notification images (service.md endpoint 9). */
export const imageTypes = ['png', 'jpg', 'gif'] as const;
/** One of `imageTypes`. */
export type ImageType = (typeof imageTypes)[number];

const urlRule = { protocol: /^https$/, error: 'must be a valid address that begins with https://' };

/** An image shown in wrist-device notifications; `type` is required with `url`. */
export const notificationImageSchema = z
  .object({
    url: z.url(urlRule).startsWith('https://', urlRule).max(2048),
    type: z.enum(imageTypes),
  })
  .readonly();
/** See `notificationImageSchema`. */
export type NotificationImage = z.infer<typeof notificationImageSchema>;

const common = {
  channelId: serviceIdSchema,
  /** Who it is attributed to, a member of the channel; missing: the System User. */
  userId: serviceIdSchema.exactOptional(),
  content: z.string().exactOptional(),
  /** An earlier message; the new one is a comment on it. */
  parentId: serviceIdSchema.exactOptional(),
  image: notificationImageSchema.exactOptional(),
};

/** A message to post; service.md endpoints 9 (channel) and 10 (direct). Only channels support terse pushes. */
export const newMessageSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('channel'), ...common, tersePush: z.boolean().exactOptional() }).readonly(),
  z.object({ kind: z.literal('direct'), ...common }).readonly(),
]);
/** See `newMessageSchema`. */
export type NewMessage = z.infer<typeof newMessageSchema>;

/** A message that was posted. `id` is missing when the answer has none in a known place (service.md gap 21). */
export const postedMessageSchema = z.object({ id: serviceIdSchema.exactOptional() }).readonly();
/** See `postedMessageSchema`. */
export type PostedMessage = z.infer<typeof postedMessageSchema>;

/**
 * The result of checking the image's address. `unchecked`: it could not be checked from here, which says nothing about
 * the phone; `refused`: it was found and does not meet the rules.
 */
export const imageCheckSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('fine'), type: z.enum(imageTypes), sizeBytes: z.number().exactOptional() }),
  z.object({ kind: z.literal('refused'), reason: z.string() }),
  z.object({ kind: z.literal('unchecked'), reason: z.string() }),
]);
/** See `imageCheckSchema`. */
export type ImageCheck = z.infer<typeof imageCheckSchema>;
