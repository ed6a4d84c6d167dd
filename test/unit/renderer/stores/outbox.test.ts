import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { NewMessage, PostedMessage } from '../../../../shared/domain/chat-message.ts';
import type { Failure } from '../../../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../../../shared/lib/result.ts';
import { createOutbox, UNDO_MS } from '../../../../renderer/stores/outbox.ts';

const message: NewMessage = { kind: 'channel', channelId: 'c1', content: 'Hello' };
const failure: Failure = {
  code: 'NETWORK',
  message: 'No connection.',
  advice: 'Try again.',
  retryable: true,
};

function storage() {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
}

function desk(answers: readonly Result<PostedMessage, Failure>[] = [], kept = storage()) {
  const posted: NewMessage[] = [];
  let lastId = 0;
  const outbox = createOutbox({
    storage: kept,
    now: () => Date.now(),
    makeId: () => {
      lastId += 1;
      return `m${lastId}`;
    },
    post: async (each) => {
      posted.push(each);
      return answers[posted.length - 1] ?? new Promise(() => undefined);
    },
  });
  outbox.hold();
  return { outbox, posted, kept, kinds: () => outbox.getState().messages.map(({ kind }) => kind) };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('the outbox', () => {
  it('holds a message for five seconds, then posts it once and knows its id', async () => {
    const { outbox, posted, kinds } = desk([ok({ id: 7 })]);
    outbox.add(message, 'Ada');
    await vi.advanceTimersByTimeAsync(UNDO_MS - 1);
    expect([posted.length, kinds()]).toEqual([0, ['held']]);
    await vi.advanceTimersByTimeAsync(1);
    expect(posted).toEqual([message]);
    expect(outbox.getState().messages[0]).toMatchObject({ kind: 'sent', posted: { id: 7 } });
  });

  it('gives a message back that is taken back in time, and posts nothing', async () => {
    const { outbox, posted } = desk([ok({ id: 7 })]);
    const id = outbox.add(message, 'Ada') ?? '';
    await vi.advanceTimersByTimeAsync(UNDO_MS - 1);
    expect(outbox.takeBack(id)).toEqual(message);
    await vi.advanceTimersByTimeAsync(UNDO_MS * 2);
    expect([posted, outbox.getState().messages]).toEqual([[], []]);
  });

  it('keeps a message that is taken back in the list when there is no room for it elsewhere', async () => {
    const { outbox, posted } = desk([ok({ id: 7 })]);
    const id = outbox.add(message, 'Ada') ?? '';
    expect(outbox.takeBack(id, true)).toEqual(message);
    await vi.advanceTimersByTimeAsync(UNDO_MS * 2);
    expect(posted).toEqual([]);
    expect(outbox.getState().messages[0]).toMatchObject({ kind: 'failed', failure: { code: 'CANCELLED' } });
  });

  it('gives nothing back that is on its way', async () => {
    const { outbox, kinds } = desk();
    const id = outbox.add(message, 'Ada') ?? '';
    await vi.advanceTimersByTimeAsync(UNDO_MS);
    expect(outbox.takeBack(id)).toBeUndefined();
    outbox.forget(id);
    expect(kinds()).toEqual(['sending']);
  });

  it('posts every message, however many are sent at once', async () => {
    const { outbox, posted, kinds } = desk(Array.from({ length: 60 }, (_, id) => ok({ id })));
    for (let index = 0; index < 60; index += 1) outbox.add(message, 'Ada');
    await vi.advanceTimersByTimeAsync(UNDO_MS);
    expect(posted).toHaveLength(60);
    outbox.add(message, 'Ada');
    expect(kinds()).toEqual(['held', ...Array<string>(49).fill('sent')]);
  });

  it('keeps a message that was not sent, with its reason', async () => {
    const { outbox } = desk([err(failure)]);
    outbox.add(message, 'Ada');
    await vi.advanceTimersByTimeAsync(UNDO_MS);
    expect(outbox.getState().messages[0]).toMatchObject({ kind: 'failed', failure, message });
  });

  it('is unsure of a message whose answer was lost', async () => {
    const { outbox, kinds } = desk([err({ ...failure, mayHaveHappened: true })]);
    outbox.add(message, 'Ada');
    await vi.advanceTimersByTimeAsync(UNDO_MS);
    expect(kinds()).toEqual(['unsure']);
  });

  it('posts nothing by itself after the page was closed: held ones were not sent, those on their way are unsure', async () => {
    const kept = storage();
    const before = desk([], kept);
    before.outbox.add(message, 'Ada');
    await vi.advanceTimersByTimeAsync(UNDO_MS);
    before.outbox.add(message, 'Ada');
    before.outbox.stop();
    const after = desk([ok({ id: 1 }), ok({ id: 2 })], kept);
    expect(after.kinds()).toEqual(['failed', 'unsure']);
    await vi.advanceTimersByTimeAsync(UNDO_MS * 2);
    expect(after.posted).toEqual([]);
  });

  it.each(['{', '[{"kind":"sent"}]', 'null'])('starts empty over %s', (text) => {
    const kept = storage();
    kept.setItem('outbox', text);
    expect(desk([], kept).kinds()).toEqual([]);
  });
});
