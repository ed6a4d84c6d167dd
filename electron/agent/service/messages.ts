import { messageAnswerSchema, toWireMessage } from '../../../shared/service/chat-message.ts';
import { valueOf, type CallService } from './call-service.ts';
import type { Messages } from './team-service.ts';

/** Makes the calls of endpoints 9 and 10; a message is posted once, whatever becomes of its answer. */
export function createMessages(send: CallService, checkImage: Messages['checkImage']): Messages {
  return {
    async post(message, signal) {
      const call = {
        endpoint: message.kind === 'channel' ? 'addChannelMessage' : 'addDirectMessage',
        ids: { channelId: message.channelId },
        body: toWireMessage(message),
      } as const;
      return valueOf(await send('Post message', call, messageAnswerSchema, signal));
    },
    checkImage,
  };
}
