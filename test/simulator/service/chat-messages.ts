import type { z } from 'zod';
import { jsonAnswer, statusRefusal, type Answer } from '../http/answer.ts';
import type { SimulatorSettings } from '../settings.ts';
import type { StoredMessage } from '../team/message-store.ts';
import type { ServiceChannel } from '../team/team.ts';
import {
  channelMessageSchema,
  checkImage,
  directMessageSchema,
  type MessageWrite,
} from './message-schema.ts';
import type { Route, ServiceContext } from './route.ts';
import { validated, validationFailure } from './validation.ts';

/** Endpoint 9, Add a Channel Message. */
const addChannelMessage: Route = {
  call: 'addChannelMessage',
  method: 'PUT',
  path: ['channels', ':channel_id', 'chat_messages'],
  needsVideoPermission: false,
  query: {},
  handle: async ({ path, body }, context) =>
    addMessage({ kind: 'channel', id: path.channel_id ?? '', schema: channelMessageSchema, body }, context),
};

/** Endpoint 10, Add a Direct Message Channel Message. */
const addDirectMessage: Route = {
  call: 'addDirectMessage',
  method: 'PUT',
  path: ['direct_message_channels', ':channel_id', 'chat_messages'],
  needsVideoPermission: false,
  query: {},
  handle: async ({ path, body }, context) =>
    addMessage({ kind: 'direct', id: path.channel_id ?? '', schema: directMessageSchema, body }, context),
};

interface NewMessage {
  readonly kind: ServiceChannel['kind'];
  readonly id: string;
  readonly schema: z.ZodType<MessageWrite>;
  readonly body: unknown;
}

function addMessage({ kind, id, schema, body }: NewMessage, context: ServiceContext): Answer {
  const { team, clock, settings } = context;
  const channel = team.team().channels.find((each) => each.kind === kind && each.id === id);
  if (channel === undefined) return statusRefusal(404, 'Channel not found');
  const parsed = validated(schema, body);
  if (!parsed.ok) return parsed.error;
  const written = parsed.value;
  const refused = checkMessage(written, channel, context);
  if (refused !== undefined) return refused;
  const message = team.messages.add({
    channel_kind: kind,
    channel_id: id,
    user_id: written.user_id ?? null,
    content: written.content ?? null,
    parent_id: written.parent_id ?? null,
    terse_push_notification: written.terse_push_notification ?? false,
    notification_image_url: written.notification_image_url ?? null,
    notification_image_type: written.notification_image_type ?? null,
    created_at: new Date(clock.now()).toISOString(),
  });
  return jsonAnswer(200, tellMessage(message, settings.messageIdShape));
}

function checkMessage(
  written: MessageWrite,
  channel: ServiceChannel,
  { team }: ServiceContext,
): Answer | undefined {
  const reason = checkImage(written);
  if (reason !== undefined) return validationFailure(reason);
  const { user_id: userId, parent_id: parentId } = written;
  if (userId !== undefined && !channel.memberIds.includes(userId)) {
    return statusRefusal(422, { error: 'Invalid Channel User', invalid_user_id: userId });
  }
  if (parentId !== undefined && !team.messages.has(channel, parentId)) {
    return validationFailure('Parent is not a message of this channel');
  }
  return undefined;
}

/** The record that was created, with its id where the settings put it. */
function tellMessage(
  { channel_kind: _kind, id, ...others }: StoredMessage,
  shape: SimulatorSettings['messageIdShape'],
): object {
  switch (shape) {
    case 'id':
    case 'message_id':
    case 'chat_message_id':
      return { [shape]: id, ...others };
    case 'chat_message':
    case 'message':
      return { [shape]: { id, ...others } };
    case 'none':
      return others;
  }
}

export const chatMessageRoutes: readonly Route[] = [addChannelMessage, addDirectMessage];
