import { breaksIn } from './contract-break.ts';

/** Messages sent or read wrongly. */
export const messageBreaks = [
  ...breaksIn('electron/agent/service/endpoints.ts', [
    [
      "path: '/channels/{channelId}/chat_messages'",
      "path: '/channels/{channelId}/messages'",
      '9 | address',
      '9 | 200',
    ],
    [
      "path: '/direct_message_channels/{channelId}/chat_messages'",
      "path: '/direct_channels/{channelId}/chat_messages'",
      '10 | address',
      '10 | 200',
    ],
  ]),
  ...breaksIn('electron/agent/service/connect-service.ts', [
    [
      "message.kind === 'channel' ? 'addChannelMessage' : 'addDirectMessage'",
      "'addChannelMessage'",
      '10 | address',
      '10 | 200',
    ],
  ]),
  ...breaksIn('shared/service/chat-message.ts', [
    [
      'user_id: userId === undefined ? undefined : String(userId)',
      'user_id: undefined',
      '9 | user_id | string',
      '10 | user_id',
      'Errors | messages | 422',
    ],
    [
      'user_id: userId === undefined ? undefined : String(userId)',
      "user_id: String(userId ?? '')",
      '9 | user_id | when omitted',
      '10 | user_id',
    ],
    ['    content,\n', '', '9 | content', '10 | content'],
    [
      'parent_id: parentId === undefined ? undefined : String(parentId)',
      'parent_id: undefined',
      '9 | parent_id',
      '10 | parent_id',
    ],
    [
      "message.kind === 'channel' ? message.tersePush : undefined",
      'undefined',
      '9 | terse_push_notification | when true',
    ],
    [
      "message.kind === 'channel' ? message.tersePush : undefined",
      'true',
      '9 | terse_push_notification | boolean',
      '10 | terse_push_notification',
      '9 | notification_image_type | required only',
      '10 | content',
    ],
    [
      'notification_image_url: image?.url',
      'notification_image_url: undefined',
      '9 | notification_image_url | string',
      '10 | notification_image_url',
    ],
    [
      'notification_image_type: image?.type',
      'notification_image_type: undefined',
      '9 | notification_image_type | values',
      '10 | notification_image_type',
    ],
    [
      'return knownFields<PostedMessage>({ id });',
      'return knownFields<PostedMessage>({ id: undefined });',
      '9 | 200',
      '10 | 200',
      'Chat message | id',
      '9 | not shown: the property',
    ],
    ['wire.message?.id ?? ', '', '9 | not shown: the property'],
    ['if (id === undefined && hasError)', 'if (id === undefined)', '9 | not shown: an answer without an id'],
  ]),
  ...breaksIn('shared/domain/chat-message.ts', [
    ['protocol: /^https$/', 'protocol: /^(https?|ftp)$/', '9 | notification_image_url | must begin'],
    [
      "['png', 'jpg', 'gif'] as const",
      "['png', 'jpg', 'gif', 'webp'] as const",
      '9 | notification_image_type | values',
    ],
    [
      'type: z.enum(imageTypes),\n  })\n  .readonly();',
      "type: z.enum(imageTypes).default('png'),\n  })\n  .readonly();",
      '9 | notification_image_type | required only',
    ],
  ]),
  ...breaksIn('shared/domain/chat-message.ts', [
    ['MAX_IMAGE_BYTES = 10_000_000', 'MAX_IMAGE_BYTES = 10_485_760', 'Limits | notification image size'],
  ]),
  ...breaksIn('electron/agent/service/check-image.ts', [
    [
      'if (type !== stated)',
      "if (type !== stated && type !== 'gif')",
      'Limits | notification image types | png',
    ],
    [
      "(found === 'apng' ? 'png' : found)",
      "(found === 'webp' ? 'png' : found)",
      'Limits | notification image types | png',
    ],
  ]),
  ...breaksIn('electron/agent/service/check-image.ts', [
    [
      "if (url?.protocol !== 'https:')",
      'if (url === undefined)',
      'Limits | notification image types | https',
    ],
  ]),
];
