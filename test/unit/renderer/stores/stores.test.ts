import { describe, expect, it } from 'vitest';
import { createNoticeStore } from '../../../../renderer/stores/notices.ts';
import { type TextStorage, createPreferencesStore } from '../../../../renderer/stores/preferences.ts';
import { createProgressStore } from '../../../../renderer/stores/progress.ts';

function storageOf(kept: string | null): TextStorage & { readonly text: () => string | null } {
  let text = kept;
  return { getItem: () => text, setItem: (_key, value) => void (text = value), text: () => text };
}

describe('preferences', () => {
  it('are kept from one page to the next', () => {
    const storage = storageOf(null);
    createPreferencesStore(storage).getState().set({ theme: 'light', density: 'compact' });
    expect(createPreferencesStore(storage).getState()).toMatchObject({
      theme: 'light',
      density: 'compact',
      times: 'local',
    });
  });

  it.each(['', 'no json', '[]', '{"theme":"neon","density":"compact"}'])(
    'survive %j in the storage',
    (text) => {
      expect(createPreferencesStore(storageOf(text)).getState().theme).toBe('system');
    },
  );

  it('follow what another tab keeps, so that neither wipes out what the other did', () => {
    const storage = storageOf(null);
    const tabs = new EventTarget();
    const mine = createPreferencesStore(storage, tabs);
    createPreferencesStore(storage).getState().set({ theme: 'light' });
    tabs.dispatchEvent(Object.assign(new Event('storage'), { key: 'preferences' }));
    mine.getState().set({ density: 'compact' });
    expect(createPreferencesStore(storage).getState()).toMatchObject({ theme: 'light', density: 'compact' });
  });

  it('hold for the page where the storage refuses', () => {
    const refusing: TextStorage = {
      getItem: () => null,
      setItem() {
        throw new Error('full');
      },
    };
    const store = createPreferencesStore(refusing);
    store.getState().set({ times: 'utc' });
    expect(store.getState().times).toBe('utc');
  });
});

describe('notices', () => {
  let nowMs = Date.parse('2026-05-02T03:00:00Z');
  const clock = { now: () => nowMs };

  it('say when they came', () => {
    const store = createNoticeStore(clock, storageOf(null));
    store.show({ level: 'failure', text: 'Failed.' });
    nowMs += 60_000;
    store.show({ level: 'failure', text: 'Failed again.' });
    const [last, first] = store.getState().open;
    expect([first?.at, last?.at]).toEqual(['2026-05-02T03:00:00.000Z', '2026-05-02T03:01:00.000Z']);
  });

  it('that need someone stay after their toast is gone', () => {
    const store = createNoticeStore(clock, storageOf(null));
    const info = store.show({ level: 'info', text: 'Copied.' });
    const failure = store.show({ level: 'failure', text: 'Failed.' });
    store.dismissToast(info);
    store.dismissToast(failure);
    expect(store.getState().toasts).toEqual([]);
    expect(store.getState().open.map(({ text }) => text)).toEqual(['Failed.']);
    store.putAside(failure);
    expect(store.getState().open).toEqual([]);
  });

  it('that need someone are still there when the page is loaded again, and what was put aside is not', () => {
    const storage = storageOf(null);
    const store = createNoticeStore(clock, storage);
    const aside = store.show({ level: 'warning', text: 'Put aside.' });
    const about = { incidentId: 'i1', clipId: 'c1' };
    store.show({ level: 'failure', text: 'Failed.', undo: () => undefined, about });
    store.show({ level: 'info', text: 'Copied.' });
    store.putAside(aside);
    const again = createNoticeStore(clock, storageOf(storage.text()));
    expect(again.getState()).toMatchObject({
      toasts: [],
      open: [{ level: 'failure', text: 'Failed.', about }],
    });
    const fresh = again.show({ level: 'failure', text: 'Failed again.' });
    expect(new Set([fresh, ...again.getState().open.map(({ id }) => id)]).size).toBe(2);
    expect(createNoticeStore(clock, storageOf('[{"id":"1"}]')).getState().open).toEqual([]);
  });

  it('push out the oldest when there are many', () => {
    const store = createNoticeStore(clock, storageOf(null));
    for (let number = 1; number <= 9; number += 1) store.show({ level: 'info', text: String(number) });
    expect(store.getState().toasts.map(({ text }) => text)).toEqual(['8', '9']);
  });

  it('that answer a person are not pushed out by clips that were sent meanwhile', () => {
    const store = createNoticeStore(clock, storageOf(null));
    const shown = () => store.getState().toasts.map(({ text }) => text);
    const answer = (text: string, undo?: () => void) =>
      store.show({ level: 'info', text, ...(undo && { undo }) });
    const news = (text: string, level: 'info' | 'failure' = 'info') =>
      store.show({ level, text, isNews: true });
    answer('Left out.', () => undefined);
    for (const text of ['1 clip sent.', '2 clips sent.', '3 clips sent.']) news(text);
    expect(shown()).toEqual(['Left out.', '3 clips sent.']);
    answer('Put back in the queue.');
    news('4 clips sent.');
    expect(shown()).toEqual(['Left out.', 'Put back in the queue.']);
    news('A clip failed.', 'failure');
    expect(shown()).toEqual(['Left out.', 'A clip failed.']);
    for (const text of ['Paused.', 'View deleted.', 'Moved.']) answer(text, () => undefined);
    expect(shown()).toEqual(['View deleted.', 'Moved.']);
  });
});

describe('progress', () => {
  const signal = (bytesPerSecond: number, sent = 0) =>
    ({
      kind: 'progress',
      bytesPerSecond,
      bytesTotal: 10,
      bytesDone: 5,
      clips: [{ id: 'a', bytesSent: sent }],
    }) as const;

  it('keeps one speed a second, and shows a pause as zeros', () => {
    const { take, getState } = createProgressStore();
    for (const [speed, atMs] of [
      [1, 1000],
      [2, 1250],
      [3, 2000],
      [4, 5000],
    ] as const)
      take(signal(speed), atMs);
    expect(getState().history).toEqual([1, 3, 0, 0, 4]);
    expect(getState().bytesPerSecond).toBe(4);
  });

  it('stands still when nothing is known any more, and keeps what was', () => {
    const { take, stand, getState } = createProgressStore();
    take(signal(3, 7), 1000);
    stand();
    expect(getState()).toMatchObject({ bytesPerSecond: 0, bytesTotal: 0, bytesDone: 0, history: [3] });
    expect(getState().sentByClip.size).toBe(0);
  });

  it('keeps five minutes', () => {
    const { take, getState } = createProgressStore();
    for (let second = 1; second <= 400; second += 1) take(signal(second), second * 1000);
    expect(getState().history).toHaveLength(300);
    expect(getState().history.at(-1)).toBe(400);
  });

  it('knows the bytes of each clip', () => {
    const { take, getState } = createProgressStore();
    take(signal(1, 77), 1000);
    expect(getState().sentByClip.get('a')).toBe(77);
  });
});
