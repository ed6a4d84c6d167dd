import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import {
  createReadAgain,
  followSignals,
  READ_AGAIN_MS,
  holdOutbox,
} from '../../../../renderer/app/follow-signals.ts';
import type { Link } from '../../../../renderer/bridge/bridge.ts';
import { createArrivalsStore } from '../../../../renderer/stores/arrivals.ts';
import { createNoticeStore } from '../../../../renderer/stores/notices.ts';
import { createDraftStore, createOutbox, UNDO_MS } from '../../../../renderer/stores/outbox.ts';
import { createProgressStore } from '../../../../renderer/stores/progress.ts';
import { createFreezeStore } from '../../../../renderer/stores/services.ts';

describe('createReadAgain', () => {
  const readings: string[][] = [];
  let isHidden = false;
  const make = () =>
    createReadAgain<string>(
      (subjects) => readings.push([...subjects]),
      () => isHidden,
    );
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    vi.useRealTimers();
    readings.length = 0;
    isHidden = false;
  });

  it('reads the first change at once and those that go on coming together, once a second', () => {
    const reading = make();
    for (let tick = 0; tick < 40; tick += 1) {
      reading.changed('uploads');
      reading.changed('health');
      vi.advanceTimersByTime(250);
    }
    expect(readings[0]).toEqual(['uploads']);
    expect(readings[2]).toEqual(['uploads', 'health']);
    expect(readings.length).toBeLessThanOrEqual(12);
  });

  it('reads what follows the first change soon, so that the first sign of an export is no second late', () => {
    const reading = make();
    for (let start = 0; start < 2; start += 1) {
      // The agent has restarted, and its first scan found something
      reading.changed('uploads');
      vi.advanceTimersByTime(40);
      reading.changed('uploads');
      vi.advanceTimersByTime(210);
      expect(readings).toHaveLength(2 * (start + 1));
      vi.advanceTimersByTime(READ_AGAIN_MS);
    }
  });

  it('never loses the last change', () => {
    const reading = make();
    reading.changed('uploads');
    reading.changed('settings');
    vi.advanceTimersByTime(READ_AGAIN_MS);
    expect(readings).toEqual([['uploads'], ['settings']]);
    vi.advanceTimersByTime(10 * READ_AGAIN_MS);
    expect(readings.length).toBe(2);
  });

  it('reads nothing while nobody sees the page, and what was missed when someone does', () => {
    const reading = make();
    isHidden = true;
    reading.changed('uploads');
    vi.advanceTimersByTime(10 * READ_AGAIN_MS);
    expect(readings).toEqual([]);
    isHidden = false;
    reading.shown();
    reading.shown();
    expect(readings).toEqual([['uploads']]);
  });

  it('reads nothing more after its end', () => {
    const reading = make();
    reading.changed('uploads');
    reading.changed('uploads');
    reading.stop();
    vi.advanceTimersByTime(10 * READ_AGAIN_MS);
    expect(readings.length).toBe(1);
  });
});

describe('a page that opens', () => {
  it('reads once more what it asked for before it could hear the agent', async () => {
    vi.stubGlobal('document', Object.assign(new EventTarget(), { hidden: false }));
    const queries = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
    const answers = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
    let asked = 0;
    const observer = new QueryObserver(queries, {
      queryKey: ['uploads.list'],
      queryFn: async () => answers[asked++]?.promise,
    });
    const stopReading = observer.subscribe(() => undefined);
    let link: Link = { kind: 'connecting' };
    const heard: (() => void)[] = [];
    const clock = { now: () => Date.now(), monotonic: () => performance.now() };
    const stop = followSignals({
      bridge: {
        onSignal: () => () => undefined,
        link: () => link,
        onLink(listener) {
          heard.push(listener);
          return () => undefined;
        },
        desktop: undefined,
      },
      clock,
      queries,
      progress: createProgressStore(),
      notices: createNoticeStore(clock, { getItem: () => null, setItem: () => undefined }),
      freeze: createFreezeStore(),
      arrivals: createArrivalsStore(),
    });
    try {
      expect(asked).toBe(1);
      link = { kind: 'open' };
      for (const listener of heard) listener();
      answers[0]?.resolve('as it was before');
      answers[1]?.resolve('as it is');
      await vi.waitFor(() => expect(observer.getCurrentResult().data).toBe('as it is'));
      expect(asked).toBe(2);
    } finally {
      stop();
      stopReading();
      queries.clear();
      vi.unstubAllGlobals();
    }
  });
});

const message = { kind: 'channel', channelId: 'c1', content: 'Hello' } as const;

/** One browser: tabs that share storage, and locks that pass to the next tab when one is closed. */
function browser() {
  const kept = new Map<string, string>();
  const queue: { readonly tab: number; readonly take: () => unknown }[] = [];
  const listeners: ((event: { readonly key: string }) => void)[] = [];
  let owner: number | undefined;
  const posted: number[] = [];

  function open(tab: number) {
    const own: typeof listeners = [];
    const storage = {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem(key: string, value: string) {
        const isNew = kept.get(key) !== value;
        kept.set(key, value);
        // Storage events do not reach the tab that caused them
        if (isNew) for (const listener of listeners) if (!own.includes(listener)) listener({ key });
      },
    };
    const draft = createDraftStore(storage);
    const outbox = createOutbox({
      storage,
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
        if (typeof listener !== 'function') return;
        own.push((event) => void Reflect.apply(listener, undefined, [event]));
        listeners.push(...own.slice(-1));
      },
    };
    holdOutbox(outbox, draft, { locks: { request }, tabs });
    return { ...outbox, draft };
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

  it('has one draft, which the second tab no longer shows once the first has sent it', () => {
    const { open } = browser();
    const [first, second] = [open(1), open(2)];
    const contents = () => [first, second].map(({ draft }) => draft.getState().content);
    first.draft.getState().set({ content: 'Evacuate' });
    expect(contents()).toEqual(['Evacuate', 'Evacuate']);
    second.draft.getState().set({ content: 'Evacuate gate 4' });
    expect(contents()).toEqual(['Evacuate gate 4', 'Evacuate gate 4']);
    first.draft.getState().clear();
    expect(contents()).toEqual(['', '']);
  });

  it('is held at once where the browser has no locks', () => {
    const outbox = createOutbox({
      storage: { getItem: () => null, setItem: () => undefined },
      now: () => 0,
      makeId: () => 'm1',
      post: () => new Promise(() => undefined),
    });
    const tabs = { addEventListener: () => undefined };
    holdOutbox(outbox, { look: () => undefined }, { locks: undefined, tabs });
    expect(outbox.getState().holder).toBe('here');
  });
});
