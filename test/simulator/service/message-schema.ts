import { z } from 'zod';
import { oneOf, yesOrNo } from './validation.ts';

const text = z.string('must be a string');

const fields = {
  user_id: text.optional(),
  content: text.optional(),
  parent_id: text.optional(),
  notification_image_url: text.refine(isHttps, 'must begin with https://').optional(),
  notification_image_type: oneOf(['png', 'jpg', 'gif']).optional(),
};

/** Body of endpoint 9. Unknown fields are refused, so that a misspelt one is noticed. */
export const channelMessageSchema = z.strictObject(
  { ...fields, terse_push_notification: yesOrNo.optional() },
  'must be an object',
);
/** Body of endpoint 10: the same without the choice of a terse push notification. */
export const directMessageSchema = z.strictObject(fields, 'must be an object');

/** The body of either endpoint. */
export type MessageWrite = z.infer<typeof channelMessageSchema>;

/** Why image URL and type do not belong together, or undefined when they do. */
export function checkImage({
  notification_image_url: url,
  notification_image_type: type,
}: MessageWrite): string | undefined {
  if (url !== undefined && type === undefined) return "Notification image type can't be blank";
  if (url === undefined && type !== undefined) return "Notification image url can't be blank";
  return undefined;
}

function isHttps(url: string): boolean {
  return url.startsWith('https://') && URL.canParse(url);
}
