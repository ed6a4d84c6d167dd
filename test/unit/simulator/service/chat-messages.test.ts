import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startSimulator, type ServiceChannel, type Simulator } from '../../../simulator/index.ts';
import { callService } from '../call-service.ts';

let simulator: Simulator;
let channel: ServiceChannel;
let other: ServiceChannel;
let direct: ServiceChannel;
beforeAll(async () => {
  simulator = await startSimulator();
  const { channels } = simulator.team();
  [channel, other] = channels.filter(({ kind }) => kind === 'channel') as [ServiceChannel, ServiceChannel];
  direct = channels.find(({ kind }) => kind === 'direct')!;
});
afterAll(() => simulator.stop());
afterEach(() => simulator.configure({ messageIdShape: 'id' }));

const post = (to: ServiceChannel, body: unknown) => {
  const room = to.kind === 'channel' ? 'channels' : 'direct_message_channels';
  return callService(simulator, 'PUT', `/${room}/${to.id}/chat_messages`, { body });
};
const image = { notification_image_url: 'https://example.com/a.png', notification_image_type: 'png' };

describe('endpoint 9, Add a Channel Message', () => {
  it('keeps every field, and answers the id', async () => {
    const [userId] = channel.memberIds;
    const parent = (await post(channel, { content: 'Gate C is open' })).body.id;
    const body = {
      user_id: userId,
      content: 'Ok',
      parent_id: parent,
      terse_push_notification: true,
      ...image,
    };
    const answer = await post(channel, body);
    expect(answer).toMatchObject({ status: 200, body: { id: expect.any(String), ...body } });
    expect(simulator.messages().slice(-2)).toMatchObject([
      { id: parent, channel_id: channel.id, user_id: null, terse_push_notification: false, parent_id: null },
      { id: answer.body.id, channel_kind: 'channel', channel_id: channel.id, ...body },
    ]);
    expect(simulator.requests.of('addChannelMessage', { status: 200 }).length).toBeGreaterThan(1);
  });

  it('needs no field at all', async () => {
    expect((await post(channel, {})).status).toBe(200);
  });

  it('does not know terse_push_notification for direct messages', async () => {
    expect(await post(direct, { content: 'x', terse_push_notification: true })).toMatchObject({
      status: 422,
      body: { status: 422, message: 'Validation failed: Terse push notification is not a known field' },
    });
  });
});

describe('endpoint 10, Add a Direct Message Channel Message', () => {
  it('keeps every field, and answers the id', async () => {
    const body = { user_id: direct.memberIds[1], content: 'Are you there?', ...image };
    const answer = await post(direct, body);
    expect(answer).toMatchObject({ status: 200, body: { id: expect.any(String) } });
    expect(simulator.messages().at(-1)).toMatchObject({
      channel_kind: 'direct',
      channel_id: direct.id,
      ...body,
    });
    expect(simulator.requests.of('addDirectMessage', { status: 200 })).toHaveLength(1);
  });
});

describe('a message', () => {
  it.each([
    ['message_id', (body: { message_id: string }) => body.message_id],
    ['chat_message_id', (body: { chat_message_id: string }) => body.chat_message_id],
    ['chat_message', (body: { chat_message: { id: string } }) => body.chat_message.id],
    ['message', (body: { message: { id: string } }) => body.message.id],
  ] as const)('carries its id in %s when set so, and nowhere else', async (messageIdShape, idOf) => {
    simulator.configure({ messageIdShape });
    const { body } = await post(channel, { content: 'x' });
    const id = simulator.messages().at(-1)?.id;
    expect(idOf(body)).toBe(id);
    expect(JSON.stringify(body).split(`"${id}"`)).toHaveLength(2);
  });

  it('carries no id when set so', async () => {
    simulator.configure({ messageIdShape: 'none' });
    const { body } = await post(channel, { content: 'x' });
    expect(body.content).toBe('x');
    expect(JSON.stringify(body)).not.toContain(simulator.messages().at(-1)?.id);
  });

  it('of one who is not a member is refused by the id', async () => {
    const stranger = simulator.team().users.find(({ id }) => !channel.memberIds.includes(id))?.id;
    for (const userId of [stranger, 'nobody']) {
      expect(await post(channel, { user_id: userId, content: 'x' })).toMatchObject({
        status: 422,
        text: JSON.stringify({
          status: 422,
          message: { error: 'Invalid Channel User', invalid_user_id: userId },
        }),
      });
    }
  });

  it('of one who was deleted is refused too', async () => {
    const userId = other.memberIds[0] ?? '';
    expect((await post(other, { user_id: userId })).status).toBe(200);
    await callService(simulator, 'DELETE', `/users/${userId}`);
    expect((await post(other, { user_id: userId })).body.message).toEqual({
      error: 'Invalid Channel User',
      invalid_user_id: userId,
    });
  });

  it.each([
    ['a channel that does not exist', () => ({ ...channel, id: '1' })],
    ['a direct channel at the channels', () => ({ ...direct, kind: 'channel' as const })],
    ['a channel at the direct ones', () => ({ ...channel, kind: 'direct' as const })],
  ])('to %s does not arrive', async (_what, to) => {
    const before = simulator.messages().length;
    expect(await post(to(), { content: 'x' })).toMatchObject({
      status: 404,
      text: '{"status":404,"message":"Channel not found"}',
    });
    expect(simulator.messages()).toHaveLength(before);
  });

  it.each<[string, unknown, string]>([
    ['an unknown field', { text: 'x' }, 'Text is not a known field'],
    ['a number for a user', { user_id: 7 }, 'User id must be a string'],
    ['null for its content', { content: null }, 'Content must be a string'],
    [
      'text for a switch',
      { terse_push_notification: 'true' },
      'Terse push notification must be true or false',
    ],
    [
      'an image without a type',
      { notification_image_url: 'https://e.com/a.png' },
      "Notification image type can't be blank",
    ],
    ['a type without an image', { notification_image_type: 'png' }, "Notification image url can't be blank"],
    [
      'an image over http',
      { ...image, notification_image_url: 'http://e.com/a.png' },
      'Notification image url must begin with https://',
    ],
    [
      'an address that is none',
      { ...image, notification_image_url: 'https://' },
      'Notification image url must begin with https://',
    ],
    [
      'an image of type webp',
      { ...image, notification_image_type: 'webp' },
      'Notification image type is not included in the list',
    ],
    [
      'an image of type PNG',
      { ...image, notification_image_type: 'PNG' },
      'Notification image type is not included in the list',
    ],
    ['a parent that does not exist', { parent_id: '1' }, 'Parent is not a message of this channel'],
    ['a list as its body', [], 'Body must be an object'],
    ['two faults', { content: 1, text: 'x' }, 'Content must be a string, Text is not a known field'],
  ])('with %s is refused', async (_what, body, reason) => {
    const before = simulator.messages().length;
    expect(await post(channel, body)).toMatchObject({
      status: 422,
      text: JSON.stringify({ status: 422, message: `Validation failed: ${reason}` }),
    });
    expect(simulator.messages()).toHaveLength(before);
  });

  it('cannot be a comment on a message of another channel', async () => {
    const { id } = (await post(channel, { content: 'x' })).body;
    expect((await post(other, { parent_id: id })).body.message).toBe(
      'Validation failed: Parent is not a message of this channel',
    );
  });

  it.each([
    ['POST', 'channels'],
    ['GET', 'direct_message_channels'],
  ])('is not taken by %s', async (method, room) => {
    const answer = await callService(simulator, method, `/${room}/${channel.id}/chat_messages`, {});
    expect(answer).toMatchObject({ status: 405, headers: { allow: 'PUT' } });
  });
});
