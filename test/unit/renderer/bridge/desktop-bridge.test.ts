import { describe, expect, it, vi } from 'vitest';
import { createDesktopBridge, type Link } from '../../../../renderer/bridge/bridge.ts';

type Hear = (value: unknown) => void;
const ignore = (): void => undefined;

/** A preload whose main process gives the test's answer. */
function start(answer: (request: unknown) => Promise<unknown> = async () => ({ ok: true, value: {} })) {
  const listeners = { signal: new Set<Hear>(), event: new Set<Hear>() };
  const gone: string[] = [];
  const asked: unknown[] = [];
  let nowMs = 0;
  const ask = (kind: string) => (request: unknown) => {
    asked.push([kind, request]);
    nowMs += 7;
    return answer(request);
  };
  function listen(kind: 'signal' | 'event', hear: Hear): () => void {
    listeners[kind].add(hear);
    return () => {
      listeners[kind].delete(hear);
      gone.push(kind);
    };
  }
  const api = {
    call: ask('call'),
    order: ask('order'),
    onSignal: (hear: Hear) => listen('signal', hear),
    onEvent: (hear: Hear) => listen('event', hear),
    pathsOf: (files: readonly object[]): unknown => files.map((_, index) => `/media/${index}`),
  };
  const clock = { now: () => 5000 + nowMs, monotonic: () => nowMs };
  const tell = (kind: 'signal' | 'event', value: unknown): void =>
    listeners[kind].forEach((hear) => hear(value));
  return { api, asked, gone, tell, open: (value: unknown = api) => createDesktopBridge(value, clock) };
}

describe('the bridge of the desktop app', () => {
  it.each<[string, (api: object) => unknown]>([
    ['nothing', () => null],
    ['a function less', (api) => ({ ...api, pathsOf: undefined })],
    ['something more', (api) => ({ ...api, ipcRenderer: {} })],
    ['no functions', (api) => ({ ...api, call: 'call' })],
  ])('refuses a preload with %s', (_, change) => {
    const { api, open } = start();
    expect(() => open(change(api))).toThrow();
  });

  it('calls the agent and knows how long the answer took', async () => {
    const { asked, open } = start(async () => ({ ok: true, value: {} }));
    const bridge = open();
    expect(bridge.link()).toEqual({ kind: 'connecting' });
    const answer = await bridge.caller.call('settings.apply', {});
    expect(asked).toEqual([['call', { call: 'settings.apply', input: {} }]]);
    expect(answer).toEqual({ ok: true, value: {} });
    expect(bridge.link()).toEqual({ kind: 'open' });
  });

  it('gives orders, and leaves out of the latency how long a person looked at a dialog', async () => {
    const { asked, open } = start(async () => ({ ok: true, value: { path: '/exports' } }));
    const bridge = open();
    expect(await bridge.desktop?.order('chooseFolder', {})).toEqual({
      ok: true,
      value: { path: '/exports' },
    });
    expect(asked).toEqual([['order', { call: 'chooseFolder', input: {} }]]);
    expect(bridge.link()).toEqual({ kind: 'connecting' });
  });

  it('takes what is no reply for no answer', async () => {
    const { open } = start(async () => ({ isSaved: true }));
    const answer = await open().desktop?.order('saveText', { name: 'a.csv', text: '' });
    expect(answer).toMatchObject({ ok: false, error: { code: 'CALL_FAULT' } });
  });

  it('says since when the main process is gone, and when it is back', async () => {
    let isGone = true;
    const { open } = start(async () => {
      if (isGone) throw new Error('gone');
      return { ok: true, value: {} };
    });
    const bridge = open();
    const links: Link[] = [];
    bridge.onLink(() => links.push(bridge.link()));
    for (let tries = 0; tries < 2; tries += 1)
      expect(await bridge.caller.call('settings.apply', {})).toMatchObject({ ok: false });
    expect(await bridge.desktop?.order('chooseFolder', {})).toMatchObject({ ok: false });
    expect(links).toEqual([{ kind: 'lost', sinceMs: 5007 }]);
    isGone = false;
    await bridge.caller.call('settings.apply', {});
    expect(links.map(({ kind }) => kind)).toEqual(['lost', 'open']);
  });

  it('passes on signals and events that are ones, to all who listen, until it is stopped', () => {
    const { gone, open, tell } = start();
    const bridge = open();
    const [signals, events, left] = [
      vi.fn<(value: unknown) => void>(),
      vi.fn<(value: unknown) => void>(),
      vi.fn<() => void>(),
    ];
    bridge.onSignal(signals);
    bridge.desktop?.onEvent(events);
    bridge.desktop?.onEvent(left)();
    tell('signal', { kind: 'changed', subject: 'uploads', version: 0 });
    tell('signal', { kind: 'changed', subject: 'uploads', version: 4 });
    tell('event', { kind: 'openShell', path: '/' });
    tell('event', { kind: 'showIncident', incidentId: 'i1' });
    expect(signals.mock.calls).toEqual([[{ kind: 'changed', subject: 'uploads', version: 4 }]]);
    expect(events.mock.calls).toEqual([[{ kind: 'showIncident', incidentId: 'i1' }]]);
    expect(left).not.toHaveBeenCalled();
    expect(gone).toEqual(['event']);
    bridge.stop();
    expect(gone).toEqual(['event', 'signal', 'event']);
  });

  it('asks for events when there is someone who listens: the preload keeps them until then', () => {
    const { api, open } = start();
    const onEvent = vi.fn<typeof api.onEvent>(api.onEvent);
    const bridge = open({ ...api, onEvent });
    expect(onEvent).not.toHaveBeenCalled();
    bridge.desktop?.onEvent(ignore);
    expect(onEvent).toHaveBeenCalledOnce();
  });

  it('knows the paths of what was dropped, and none when the answer is no list of them', () => {
    const { api, open } = start();
    const files = [new File([], 'a'), new File([], 'b')];
    expect(open().desktop?.pathsOf(files)).toEqual(['/media/0', '/media/1']);
    expect(open({ ...api, pathsOf: () => [1] }).desktop?.pathsOf(files)).toEqual([]);
  });
});
