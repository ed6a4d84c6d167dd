import { describe, expect, it } from 'vitest';
import type { NewMessage } from '../../../../shared/domain/chat-message.ts';
import { errorOf, going, useTeamDesk, valueOf } from './team-desk.ts';

const open = useTeamDesk();
const image = { url: 'https://img.test/a.png', type: 'png' } as const;
const full = { channelId: 5, userId: 17, content: 'Gate 4', parentId: 99, image } as const;

describe('posting a message', () => {
  it.each([
    [
      { kind: 'channel', ...full, tersePush: false },
      'PUT /channels/5/chat_messages',
      { terse_push_notification: false },
    ],
    [{ kind: 'direct', ...full }, 'PUT /direct_message_channels/5/chat_messages', {}],
  ] satisfies [NewMessage, string, object][])('%o is one %s', async (message, asked, more) => {
    const desk = await open({ body: { id: 7 } });
    expect(await valueOf(desk.messages.post(message, going))).toEqual({ id: 7 });
    expect(desk.asked()).toEqual([asked]);
    expect(desk.sent()).toEqual([
      {
        user_id: '17',
        content: 'Gate 4',
        parent_id: '99',
        notification_image_url: 'https://img.test/a.png',
        notification_image_type: 'png',
        ...more,
      },
    ]);
  });

  it('sends nothing that was not given', async () => {
    const desk = await open({ body: { id: 7 } });
    await valueOf(desk.messages.post({ kind: 'channel', channelId: 'a b', content: 'x' }, going));
    expect(desk.asked()).toEqual(['PUT /channels/a%20b/chat_messages']);
    expect(desk.sent()).toEqual([{ content: 'x' }]);
  });

  it.each([[{}], [{ message: 'Message created' }], [{ status: 200, content: 'x' }]])(
    'is a success without an id when the answer is %o',
    async (body) => {
      const desk = await open({ body });
      expect(await valueOf(desk.messages.post({ kind: 'direct', channelId: 5 }, going))).toEqual({});
    },
  );

  it('is a success when the message that comes back, with its id, begins like an error', async () => {
    const desk = await open({
      body: { id: 7, message: 'An error occurred while processing your request, said the lift' },
    });
    expect(await valueOf(desk.messages.post({ kind: 'direct', channelId: 5 }, going))).toEqual({ id: 7 });
  });

  it.each([
    [{ message: 'An error occurred while processing your request' }, 'SERVICE_FAULT'],
    [{ error: 'Channel not found' }, 'NOT_FOUND'],
    [{ message: { error: 'Invalid Channel User', invalid_user_id: 17 } }, 'INVALID_CHANNEL_USER'],
    [{ status: 422, message: 'Validation failed: Content is too long' }, 'VALIDATION'],
  ])('is a failure when %o comes under HTTP 200', async (body, code) => {
    const desk = await open({ body });
    expect(await errorOf(desk.messages.post({ kind: 'direct', channelId: 5 }, going))).toMatchObject({
      code,
    });
  });

  it('names the user who is no member, and is not told to have happened', async () => {
    const message = { error: 'Invalid Channel User', invalid_user_id: 17 };
    const desk = await open({ status: 422, body: { status: 422, message } });
    const failure = await errorOf(desk.messages.post({ kind: 'channel', ...full }, going));
    expect(failure).toMatchObject({ code: 'INVALID_CHANNEL_USER', status: 422, invalidUserId: '17' });
    expect(failure).not.toHaveProperty('mayHaveHappened');
  });

  it('is sent once when its answer is lost, and says so', async () => {
    const desk = await open({ line: 'reset' });
    const failure = await errorOf(desk.messages.post({ kind: 'channel', ...full }, going));
    expect(failure).toMatchObject({ code: 'NETWORK', mayHaveHappened: true, retryable: false });
    expect(failure.advice).toContain('Check the channel before sending it again');
    expect(desk.asked()).toHaveLength(1);
  });
});
