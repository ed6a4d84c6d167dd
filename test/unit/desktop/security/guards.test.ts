import { describe, expect, it } from 'vitest';
import { guardContents } from '../../../../electron/desktop/security/guard-contents.ts';
import { guardSession, type GuardedSession } from '../../../../electron/desktop/security/guard-session.ts';

type Listener = (details: unknown) => unknown;
const silent = (): void => undefined;

function listen() {
  const warnings: string[] = [];
  const logger = {
    debug: silent,
    info: silent,
    warn: (line: string) => void warnings.push(line),
    error: silent,
  };
  const listeners = new Map<string, Listener>();
  const on = (event: string, listener: Listener): void => void listeners.set(event, listener);
  return { warnings, logger, listeners, on };
}

/** Whether an event with these details was prevented. */
function isPrevented(listener: Listener | undefined, details: object): boolean {
  let prevented = false;
  listener?.({ ...details, preventDefault: () => (prevented = true) });
  return prevented;
}

describe('the contents of a window', () => {
  function guarded() {
    const { listeners, on, logger, warnings } = listen();
    let openHandler: ((details: { url: string }) => { action: string }) | undefined;
    const contents = { on, setWindowOpenHandler: (handler: typeof openHandler) => (openHandler = handler) };
    guardContents(contents as never, logger);
    return { listeners, warnings, open: (url: string) => openHandler?.({ url }) };
  }

  it.each(['will-navigate', 'will-frame-navigate', 'will-redirect'])('stay on our pages: %s', (event) => {
    const { listeners, warnings } = guarded();
    const listener = listeners.get(event);
    expect(isPrevented(listener, { url: 'app://desk/#/users', isMainFrame: true })).toBe(false);
    expect(isPrevented(listener, { url: 'https://evil/', isMainFrame: true })).toBe(true);
    expect(isPrevented(listener, { url: 'app://desk/', isMainFrame: false })).toBe(true);
    expect(warnings).toHaveLength(2);
  });

  it('hold no other page, and open no window, not even with a page of ours', () => {
    const { listeners, open } = guarded();
    expect(isPrevented(listeners.get('will-attach-webview'), {})).toBe(true);
    expect(open('https://evil/')).toEqual({ action: 'deny' });
    expect(open('app://desk/')).toEqual({ action: 'deny' });
  });
});

describe('the session of the windows', () => {
  function guarded(isPackaged = true) {
    const { listeners, on, logger, warnings } = listen();
    const handlers: Record<string, (...args: never[]) => unknown> = {};
    const set = (name: string) => (handler: (...args: never[]) => unknown) => void (handlers[name] = handler);
    const session = {
      on,
      setPermissionRequestHandler: set('request'),
      setPermissionCheckHandler: set('check'),
      setDevicePermissionHandler: set('device'),
      setDisplayMediaRequestHandler: set('display'),
      webRequest: { onBeforeRequest: set('load') },
    };
    guardSession(session as unknown as GuardedSession, { isPackaged, logger });
    /** What the handler answers, by a callback or itself. */
    function ask(name: string, ...args: readonly unknown[]): unknown {
      let answer: unknown;
      const take = (value: unknown): void => void (answer = value);
      const all = name === 'request' ? [args[0], args[1], take, args[2]] : [...args, take];
      const result = handlers[name]?.(...(all as never[]));
      return name === 'check' || name === 'device' ? result : answer;
    }
    return { ask, handlers, listeners, warnings };
  }

  it('has every handler: without one Electron allows all', () => {
    expect(Object.keys(guarded().handlers).toSorted()).toEqual([
      'check',
      'device',
      'display',
      'load',
      'request',
    ]);
  });

  it('allows copying for our own page, and nothing else to anyone', () => {
    const { ask, warnings } = guarded();
    const own = { requestingUrl: 'app://desk/#/uploads', isMainFrame: true };
    expect(ask('request', {}, 'clipboard-sanitized-write', own)).toBe(true);
    expect(ask('request', {}, 'clipboard-sanitized-write', { ...own, isMainFrame: false })).toBe(false);
    expect(ask('request', {}, 'clipboard-sanitized-write', { ...own, requestingUrl: 'https://desk/' })).toBe(
      false,
    );
    expect(ask('request', {}, 'clipboard-sanitized-write', { ...own, requestingUrl: '' })).toBe(false);
    expect(ask('request', {}, 'media', own)).toBe(false);
    expect(warnings).toHaveLength(4);
  });

  it('checks by the same rule', () => {
    const { ask } = guarded();
    expect(ask('check', null, 'clipboard-sanitized-write', 'app://desk/', { isMainFrame: true })).toBe(true);
    expect(ask('check', null, 'clipboard-sanitized-write', 'app://desk/', { isMainFrame: false })).toBe(
      false,
    );
    expect(ask('check', null, 'geolocation', 'app://desk/', { isMainFrame: true })).toBe(false);
  });

  it('gives no devices and no screen', () => {
    const { ask } = guarded();
    expect(ask('device', {})).toBe(false);
    expect(ask('display', {})).toBeNull();
  });

  it('loads our own pages only, and saves nothing by itself', () => {
    const { ask, listeners } = guarded();
    const load = (url: string) => ask('load', { url, resourceType: 'image' });
    expect(load('app://desk/icon.svg')).toEqual({ cancel: false });
    expect(load('https://evil/icon.svg')).toEqual({ cancel: true });
    expect(isPrevented(listeners.get('will-download'), {})).toBe(true);
  });
});
