import { describe, expect, it } from 'vitest';
import type { NewMessage } from '../../../shared/domain/chat-message.ts';
import { newMessageSchema } from '../../../shared/domain/chat-message.ts';
import { errorOf, going, useServiceDesk, valueOf } from './service-desk.ts';

const desk = useServiceDesk();

const image = { url: 'https://img.example.com/gate-4.png', type: 'png' } as const;

const channel = (kind: 'channel' | 'direct') => {
  const found = desk()
    .simulator.team()
    .channels.find((each) => each.kind === kind);
  if (found === undefined) throw new Error(`There is no ${kind}`);
  return found;
};

/** Posts into the first channel of the kind and returns the body that the service received. */
async function post(kind: 'channel' | 'direct', more: object = {}): Promise<Record<string, unknown>> {
  await valueOf(desk().team.messages.post(newMessage(kind, more), going));
  return { ...Object(desk().lastRequest().body) };
}

const newMessage = (kind: 'channel' | 'direct', more: object): NewMessage =>
  newMessageSchema.parse({ kind, channelId: channel(kind).id, content: 'Stand by', ...more });

describe('9. Add a Channel Message', () => {
  it('9 | address | PUT /channels/{channel_id}/chat_messages', async () => {
    await post('channel');
    const path = `/v1/channels/${channel('channel').id}/chat_messages`;
    expect(desk().lastRequest()).toMatchObject({ method: 'PUT', path, search: '', status: 200 });
  });

  it('9 | user_id | string, a member of the channel to whom the message is attributed', async () => {
    const [member] = channel('channel').memberIds;
    expect(await post('channel', { userId: member })).toMatchObject({ user_id: member });
    expect(desk().simulator.messages().at(-1)?.user_id).toBe(member);
  });

  it('9 | user_id | when omitted the message is attributed to the System User', async () => {
    expect(await post('channel')).not.toHaveProperty('user_id');
    expect(desk().simulator.messages().at(-1)?.user_id).toBeNull();
  });

  it('9 | content | string, the text of the message, optional', async () => {
    const text = 'Two persons over the barrier\n🚑 "Gate 4" <b>';
    expect(await post('channel', { content: text })).toEqual({ content: text });
    expect(desk().simulator.messages().at(-1)?.content).toBe(text);
    const { content: _content, ...silent } = newMessage('channel', { image });
    await valueOf(desk().team.messages.post(silent, going));
    expect(desk().lastRequest().body).not.toHaveProperty('content');
  });

  it('9 | parent_id | string, the new message appears as a comment on that one', async () => {
    const posted = await valueOf(desk().team.messages.post(newMessage('channel', {}), going));
    expect(await post('channel', { parentId: posted.id })).toMatchObject({ parent_id: posted.id });
    expect(desk().simulator.messages().at(-1)?.parent_id).toBe(posted.id);
  });

  it('9 | terse_push_notification | boolean, default false: names and body are pushed', async () => {
    expect((await post('channel'))['terse_push_notification'] ?? false).toBe(false);
    expect(desk().simulator.messages().at(-1)?.terse_push_notification).toBe(false);
    await post('channel', { tersePush: false });
    expect(desk().simulator.messages().at(-1)?.terse_push_notification).toBe(false);
  });

  it('9 | terse_push_notification | when true the push carries only the body', async () => {
    expect(await post('channel', { tersePush: true })).toMatchObject({ terse_push_notification: true });
    expect(desk().simulator.messages().at(-1)?.terse_push_notification).toBe(true);
  });

  it('9 | notification_image_url | string, URL of an image', async () => {
    expect(await post('channel', { image })).toMatchObject({ notification_image_url: image.url });
    expect(desk().simulator.messages().at(-1)?.notification_image_url).toBe(image.url);
  });

  it('9 | notification_image_url | must begin with https://', () => {
    for (const url of ['http://img.example.com/a.png', 'ftp://img.example.com/a.png', '//x/a.png', 'a.png']) {
      expect(() => newMessage('channel', { image: { url, type: 'png' } }), url).toThrow(/https/);
    }
  });

  it('9 | notification_image_type | values png, jpg, gif', async () => {
    for (const type of ['png', 'jpg', 'gif']) {
      const body = await post('channel', { image: { ...image, type } });
      expect(body).toMatchObject({ notification_image_type: type });
    }
    expect(() => newMessage('channel', { image: { ...image, type: 'webp' } })).toThrow(/type/);
  });

  it('9 | notification_image_type | required only when notification_image_url is used', async () => {
    expect(() => newMessage('channel', { image: { url: image.url } })).toThrow(/type/);
    const body = await post('channel');
    expect(Object.keys(body)).toEqual(['content']);
  });

  it('9 | 200 | the payload contains the id of the created message', async () => {
    const posted = await valueOf(desk().team.messages.post(newMessage('channel', {}), going));
    expect(posted.id).toBe(desk().simulator.messages().at(-1)?.id);
  });
});

describe('10. Add a Direct Message Channel Message', () => {
  it('10 | address | PUT /direct_message_channels/{channel_id}/chat_messages', async () => {
    await post('direct');
    const path = `/v1/direct_message_channels/${channel('direct').id}/chat_messages`;
    expect(desk().lastRequest()).toMatchObject({ method: 'PUT', path, search: '', status: 200 });
  });

  it('10 | user_id | as for channels', async () => {
    const [member] = channel('direct').memberIds;
    expect(await post('direct', { userId: member })).toMatchObject({ user_id: member });
    expect(await post('direct')).not.toHaveProperty('user_id');
  });

  it('10 | content | as for channels', async () => {
    expect(await post('direct', { content: 'Where are you?' })).toEqual({ content: 'Where are you?' });
  });

  it('10 | parent_id | as for channels', async () => {
    const posted = await valueOf(desk().team.messages.post(newMessage('direct', {}), going));
    expect(await post('direct', { parentId: posted.id })).toMatchObject({ parent_id: posted.id });
  });

  it('10 | notification_image_url | as for channels', async () => {
    expect(await post('direct', { image })).toMatchObject({ notification_image_url: image.url });
  });

  it('10 | notification_image_type | as for channels', async () => {
    expect(await post('direct', { image })).toMatchObject({ notification_image_type: 'png' });
  });

  it('10 | terse_push_notification | is not known there and never sent', async () => {
    expect(await post('direct', { tersePush: true })).not.toHaveProperty('terse_push_notification');
  });

  it('10 | 200 | as for channels', async () => {
    const posted = await valueOf(desk().team.messages.post(newMessage('direct', {}), going));
    expect(posted.id).toBe(desk().simulator.messages().at(-1)?.id);
  });
});

describe('Chat message', () => {
  it('Chat message | id | the record returned contains the id of the created message', async () => {
    desk().answerNext({ id: 5_500_001, content: 'Stand by' });
    const posted = await valueOf(desk().team.messages.post(newMessage('channel', {}), going));
    expect(posted.id).toBe(5_500_001);
  });

  it('9 | not shown: the property that carries the id | gap 21 | the first of five usual places', async () => {
    const shapes = ['id', 'message_id', 'chat_message', 'message', 'chat_message_id'] as const;
    for (const messageIdShape of shapes) {
      desk().simulator.configure({ messageIdShape });
      const posted = await valueOf(desk().team.messages.post(newMessage('channel', {}), going));
      expect(posted.id, messageIdShape).toBe(desk().simulator.messages().at(-1)?.id);
    }
    desk().simulator.configure({ messageIdShape: 'id' });
  });

  it('9 | not shown: an answer without an id | gap 21 | success without an id', async () => {
    desk().simulator.configure({ messageIdShape: 'none' });
    const posted = await valueOf(desk().team.messages.post(newMessage('channel', {}), going));
    expect(posted).toEqual({});
    desk().simulator.configure({ messageIdShape: 'id' });
  });
});

describe('Errors of messages', () => {
  it('Errors | messages | a failure returns an object with status and message', async () => {
    const nowhere = { ...newMessage('channel', {}), channelId: 'nowhere' };
    const failure = await errorOf(desk().team.messages.post(nowhere, going));
    expect(failure).toMatchObject({ code: 'NOT_FOUND', status: 404, detail: 'Channel not found' });
  });

  it('Errors | messages | 422 Invalid Channel User with invalid_user_id', async () => {
    const members = new Set(channel('channel').memberIds);
    const stranger = desk()
      .simulator.team()
      .users.find(({ id }) => !members.has(id))?.id;
    const message = newMessage('channel', { userId: stranger });
    const failure = await errorOf(desk().team.messages.post(message, going));
    expect(failure).toMatchObject({ code: 'INVALID_CHANNEL_USER', status: 422, invalidUserId: stranger });
  });
});
