import { describe, expect, it, vi } from 'vitest';
import { holdOutbox } from '../../../../renderer/app/hold-outbox.ts';
import { createOutbox, UNDO_MS } from '../../../../renderer/stores/outbox.ts';

const message = { kind: 'channel', channelId: 'c1', content: 'Hello' } as const;

/** One browser: tabs with one storage, and locks that go to the next tab when one is closed. */
function browser() {
  const kept = new Map<string, string>();
  const queue: { readonly tab: number; readonly take: () => unknown }[] = [];
  const listeners: ((event: { readonly key: string }) => void)[] = [];
  let owner: number | undefined;
  const posted: number[] = [];

  function open(tab: number) {
    const outbox = createOutbox({
      storage: {
        getItem: (key) => kept.get(key) ?? null,
        setItem(key, value) {
          kept.set(key, value);
          for (const listener of listeners) listener({ key });
        },
      },
      now: () => Date.now(),
      makeId: () => `tab ${tab}`,
      async post() {
        posted.push(tab);
        return { ok: true, value: { id: tab } };
      },
    });
    const request = (_name: string, ...rest: readonly unknown[]): Promise<unknown> => {
      const [options, callback] = rest.length === 1 ? [undefined, rest[0]] : rest;
      const take = (lock: unknown): void => {
        if (lock !== null) owner = tab;
        if (typeof callback === 'function') Reflect.apply(callback, undefined, [lock]);
      };
      if (options !== undefined) take(owner === undefined ? {} : null);
      else queue.push({ tab, take: () => take({}) });
      return Promise.resolve();
    };
    const tabs = {
      addEventListener: (_kind: string, listener: unknown) => {
        if (typeof listener === 'function')
          listeners.push((event) => void Reflect.apply(listener, undefined, [event]));
      },
    };
    holdOutbox(outbox, { locks: { request }, tabs });
    return outbox;
  }

  return {
    posted,
    open,
    close() {
      owner = undefined;
      queue.shift()?.take();
    },
  };
}

describe('the outbox of several tabs', () => {
  it('is held by the first; the second shows what becomes of its messages and sends nothing', async () => {
    vi.useFakeTimers();
    try {
      const { open, posted } = browser();
      const first = open(1);
      first.add(message, 'Ada');
      const second = open(2);
      const seen = () => second.getState().messages.map(({ kind }) => kind);
      expect([second.getState().holder, seen()]).toEqual(['elsewhere', ['held']]);
      expect(second.add(message, 'Ada')).toBeUndefined();
      expect(second.takeBack('tab 1')).toBeUndefined();
      await vi.advanceTimersByTimeAsync(UNDO_MS);
      expect([posted, seen()]).toEqual([[1], ['sent']]);
      expect(first.getState().messages.map(({ kind }) => kind)).toEqual(['sent']);
    } finally {
      vi.useRealTimers();
    }
  });

  it('goes to the second when the first is closed, and says of a held message that it was not sent', () => {
    const { open, close } = browser();
    const first = open(1);
    first.add(message, 'Ada');
    first.stop();
    const second = open(2);
    close();
    expect(second.getState().holder).toBe('here');
    expect(second.getState().messages).toMatchObject([{ kind: 'failed', failure: { code: 'CANCELLED' } }]);
    second.stop();
  });

  it('is held at once where the browser has no locks', () => {
    const outbox = createOutbox({
      storage: { getItem: () => null, setItem: () => undefined },
      now: () => 0,
      makeId: () => 'm1',
      post: () => new Promise(() => undefined),
    });
    holdOutbox(outbox, { locks: undefined, tabs: { addEventListener: () => undefined } });
    expect(outbox.getState().holder).toBe('here');
  });
});
