import { describe, expect, it } from 'vitest';
import { messageAnswerSchema, toWireMessage } from '../../../../shared/service/chat-message.ts';

describe('the answer to a message', () => {
  it.each([
    [{ id: 7, message_id: 8 }, 7],
    [{ message_id: 'm-8', chat_message: { id: 9 } }, 'm-8'],
    [{ chat_message: { id: 9 }, message: { id: 10 } }, 9],
    [{ message: { id: 10 }, chat_message_id: 11 }, 10],
    [{ message: 'Created', chat_message_id: '11' }, '11'],
    [{ id: null, message_id: '', chat_message: [], message: { id: 1.5 }, chat_message_id: 12 }, 12],
    [{ id: { id: 1 }, message_id: true, chat_message_id: 'x'.repeat(2000) }, undefined],
    [{}, undefined],
    [{ error: null }, undefined],
    [{ id: 7, error: 'push failed' }, 7],
  ])('has its id in the first known place: %o', (body, id) => {
    expect(messageAnswerSchema.parse(body)).toEqual(id === undefined ? {} : { id });
  });

  it.each([[{ error: 'Channel not found' }], [{ error: {} }], ['ok'], [null]])('is not %o', (body) => {
    expect(messageAnswerSchema.safeParse(body).success).toBe(false);
  });
});

describe('a message as it is written', () => {
  it('keeps what is false or empty, and leaves out what was not given', () => {
    const message = { kind: 'channel', channelId: 1, content: '', tersePush: false } as const;
    expect(toWireMessage(message)).toEqual({ content: '', terse_push_notification: false });
    expect(toWireMessage({ kind: 'direct', channelId: 1 })).toEqual({});
  });
});
