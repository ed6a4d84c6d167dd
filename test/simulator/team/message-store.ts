import type { ServiceChannel } from './team.ts';

const FIRST_MESSAGE_ID = 5_500_001;

/** A message as the service stores it; `user_id` is null for the System User. */
export interface StoredMessage {
  readonly id: string;
  readonly channel_kind: ServiceChannel['kind'];
  readonly channel_id: string;
  readonly user_id: string | null;
  readonly content: string | null;
  readonly parent_id: string | null;
  /** Always false in direct message channels, which do not have this choice. */
  readonly terse_push_notification: boolean;
  readonly notification_image_url: string | null;
  readonly notification_image_type: string | null;
  readonly created_at: string;
}

export interface MessageStore {
  /** In the order in which they were posted. */
  messages(): readonly StoredMessage[];
  has(channel: ServiceChannel, id: string): boolean;
  add(message: Omit<StoredMessage, 'id'>): StoredMessage;
}

export function createMessageStore(): MessageStore {
  const messages: StoredMessage[] = [];
  return {
    messages: () => messages,
    has: (channel, id) => messages.some((message) => message.id === id && message.channel_id === channel.id),
    add(message) {
      const stored = { id: String(FIRST_MESSAGE_ID + messages.length), ...message };
      messages.push(stored);
      return stored;
    },
  };
}
