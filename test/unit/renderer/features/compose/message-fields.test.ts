import { describe, expect, it } from 'vitest';
import {
  buildMessage,
  draftOf,
  draftProblems,
  isBlank,
  nameMembers,
} from '../../../../../renderer/features/compose/message-fields.tsx';
import type { Draft } from '../../../../../renderer/stores/outbox.ts';
import { newMessageSchema } from '../../../../../shared/domain/chat-message.ts';

const empty: Draft = {
  kind: 'channel',
  channelId: '',
  channelLabel: '',
  content: '',
  userId: '',
  userName: '',
  parentId: '',
  tersePush: false,
  imageUrl: '',
  imageType: 'png',
  recent: [],
};
const draft = (fields: Partial<Draft>): Draft => ({ ...empty, channelId: 'c1', content: 'Hello', ...fields });

describe('a draft', () => {
  it.each<[Partial<Draft>, readonly string[]]>([
    [{}, []],
    [{ channelId: ' ' }, ['channelId']],
    [{ content: ' \n' }, ['content']],
    [{ content: '', imageUrl: 'https://img.example.com/a.png' }, []],
    [{ imageUrl: 'http://img.example.com/a.png' }, ['imageUrl']],
    [{ imageUrl: 'https://' }, ['imageUrl']],
    [{ channelId: '', content: '', imageUrl: '' }, ['channelId', 'content']],
  ])('with %o lacks %o', (fields, missing) => {
    expect(draftProblems(draft(fields)).map(([field]) => field)).toEqual(missing);
  });

  it('leaves out of the message what was left empty', () => {
    expect(buildMessage(draft({}))).toEqual({ kind: 'channel', channelId: 'c1', content: 'Hello' });
  });

  it('says everything that was filled in, and the contract takes it', () => {
    const full = draft({
      userId: ' u1 ',
      parentId: '77',
      tersePush: true,
      imageUrl: ' https://img.example.com/a.gif ',
      imageType: 'gif',
    });
    const message = buildMessage(full);
    expect(message).toEqual({
      kind: 'channel',
      channelId: 'c1',
      content: 'Hello',
      userId: 'u1',
      parentId: '77',
      tersePush: true,
      image: { url: 'https://img.example.com/a.gif', type: 'gif' },
    });
    expect(newMessageSchema.safeParse(message).success).toBe(true);
  });

  it('of a direct message has no short push', () => {
    expect(buildMessage(draft({ kind: 'direct', tersePush: true }))).not.toHaveProperty('tersePush');
  });

  it('can be made again from the message that was sent', () => {
    const full = draft({
      userId: 'u1',
      parentId: '77',
      tersePush: true,
      imageUrl: 'https://a.example/b.jpg',
      imageType: 'jpg',
    });
    expect(buildMessage({ ...empty, ...draftOf(buildMessage(full), 'Ada', []) })).toEqual(buildMessage(full));
  });

  it('made again names the sender and the channel of the message, not those of the draft it replaces', () => {
    const recent = [
      { kind: 'direct', id: 'c1', label: 'Ada and Bob' },
      { kind: 'channel', id: 'c1', label: 'Control room' },
    ] as const;
    const other = draft({ channelId: 'c9', channelLabel: 'Medical', userId: 'u9', userName: 'Bob' });
    const again = (userId: string, senderName: string) => ({
      ...other,
      ...draftOf(buildMessage(draft({ userId })), senderName, [...recent]),
    });
    expect(again('u1', 'Ada')).toMatchObject({ userId: 'u1', userName: 'Ada', channelLabel: 'Control room' });
    expect(again('u1', 'u1')).toMatchObject({ userId: 'u1', userName: '' });
    expect(again('', 'System User')).toMatchObject({ userId: '', userName: '' });
  });

  it.each<[Partial<Draft>, boolean]>([
    [{ content: ' \n' }, true],
    [{ content: 'a' }, false],
    [{ content: '', parentId: '7' }, false],
    [{ content: '', imageUrl: 'https://a' }, false],
  ])('with %o is blank: %s', (fields, expected) => {
    expect(isBlank(draft(fields))).toBe(expected);
  });
});

it('tells people of one name apart by their ids, and leaves the others as they are', () => {
  const named = nameMembers([
    { id: 1, firstName: 'George', lastName: 'Smith', role: 'staff' },
    { id: 'b-2', firstName: 'George', lastName: 'Smith' },
    { id: 3, name: 'Tablet 1' },
  ]);
  expect(named.map(({ name }) => name)).toEqual(['George Smith · 1', 'George Smith · b-2', 'Tablet 1']);
  expect(named[0]).toMatchObject({ id: 1, role: 'staff' });
});
