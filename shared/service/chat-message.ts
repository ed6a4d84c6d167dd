import { z } from 'zod';
import type { NewMessage, PostedMessage } from '../domain/chat-message.ts';
import { serviceIdSchema } from '../domain/ids.ts';
import { knownFields } from '../lib/known-fields.ts';

/** Body of endpoints 9 and 10, with the service's names; all fields are optional. */
interface WireMessageWrite {
  readonly user_id?: string;
  readonly content?: string;
  readonly parent_id?: string;
  readonly terse_push_notification?: boolean;
  readonly notification_image_url?: string;
  readonly notification_image_type?: string;
}

/** A message as it is sent. Ids are strings there, whatever they came as; only channels support terse pushes. */
export function toWireMessage(message: NewMessage): WireMessageWrite {
  const { userId, content, parentId, image } = message;
  return knownFields<WireMessageWrite>({
    user_id: userId === undefined ? undefined : String(userId),
    content,
    parent_id: parentId === undefined ? undefined : String(parentId),
    terse_push_notification: message.kind === 'channel' ? message.tersePush : undefined,
    notification_image_url: image?.url,
    notification_image_type: image?.type,
  });
}

/** An invalid ID counts as missing, so the rest of the response can still be used. */
const idOrNone = serviceIdSchema.optional().catch(undefined);
const holder = z.object({ id: idOrNone }).optional().catch(undefined);

/**
 * Answer of endpoints 9 and 10: the id from the first of its known places, or none (service.md gap 21). An answer that
 * has an `error` and no id is not a success.
 */
export const messageAnswerSchema = z
  .object({
    id: idOrNone,
    message_id: idOrNone,
    chat_message: holder,
    message: holder,
    chat_message_id: idOrNone,
    error: z.unknown().optional(),
  })
  .transform((wire, context): PostedMessage => {
    const id =
      wire.id ?? wire.message_id ?? wire.chat_message?.id ?? wire.message?.id ?? wire.chat_message_id;
    const hasError = wire.error !== undefined && wire.error !== null && wire.error !== '';
    if (id === undefined && hasError)
      context.addIssue({ code: 'custom', path: ['error'], message: 'instead of an id' });
    return knownFields<PostedMessage>({ id });
  });
