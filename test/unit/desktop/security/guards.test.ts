import { describe, expect, it } from 'vitest';
import {
  guardContents,
  isNavigationAllowed,
  isPermissionGranted,
  permissions,
  isRequestAllowed,
} from '../../../../electron/desktop/security/guards.ts';
import { guardSession, type GuardedSession } from '../../../../electron/desktop/security/guards.ts';
import { readFileSync } from 'node:fs';

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

  it.each(['will-navigate', 'will-frame-navigate', 'will-redirect'])(
    'checklist 5: stay on our pages: %s',
    (event) => {
      const { listeners, warnings } = guarded();
      const listener = listeners.get(event);
      expect(isPrevented(listener, { url: 'app://desk/#/users', isMainFrame: true })).toBe(false);
      expect(isPrevented(listener, { url: 'https://evil/', isMainFrame: true })).toBe(true);
      expect(isPrevented(listener, { url: 'app://desk/', isMainFrame: false })).toBe(true);
      expect(warnings).toHaveLength(2);
    },
  );

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
    /** The handler's answer, whether returned or passed to a callback. */
    function ask(name: string, ...args: readonly unknown[]): unknown {
      let answer: unknown;
      const take = (value: unknown): void => void (answer = value);
      const all = name === 'request' ? [args[0], args[1], take, args[2]] : [...args, take];
      const result = handlers[name]?.(...(all as never[]));
      return name === 'check' || name === 'device' ? result : answer;
    }
    return { ask, handlers, listeners, warnings };
  }

  it('checklist 6: has every handler: without one Electron allows all', () => {
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

  it('checklist 4: loads our own pages only, and saves nothing by itself', () => {
    const { ask, listeners } = guarded();
    const load = (url: string) => ask('load', { url, resourceType: 'image' });
    expect(load('app://desk/icon.svg')).toEqual({ cancel: false });
    expect(load('https://evil/icon.svg')).toEqual({ cancel: true });
    expect(isPrevented(listeners.get('will-download'), {})).toBe(true);
  });
});

const table: readonly (readonly [string, boolean])[] = [
  ['app://desk/', true],
  ['app://desk/index.html', true],
  ['app://desk/#/uploads', true],
  ['app://desk', false],
  ['app://desk.evil/', false],
  ['app://deskevil/', false],
  ['app://other/', false],
  ['app://desk@other/', false],
  ['app://user@desk/', false],
  ['app://user:word@desk/', false],
  ['app://desk:80/', false],
  ['app:desk/', false],
  ['app:///desk/', false],
  ['APP://desk/', false],
  ['App://Desk/', false],
  [' app://desk/', false],
  ['https://app.evil/', false],
  ['https://app/', false],
  ['https://desk/', false],
  ['http://127.0.0.1:4747/', false],
  ['file:///etc/passwd', false],
  ['data:text/html,<p>x', false],
  ['javascript:alert(1)', false],
  ['blob:app://desk/1c4a', false],
  ['filesystem:app://desk/x', false],
  ['view-source:app://desk/', false],
  ['devtools://devtools/bundled/inspector.html', false],
  ['vms-export-agent://incident/x', false],
  ['about:blank', false],
  ['about:srcdoc', false],
  ['', false],
];

describe('where a window may go', () => {
  it.each(table)('%s: %s', (url, isAllowed) => {
    expect(isNavigationAllowed({ url, isMainFrame: true })).toBe(isAllowed);
  });

  it('lets no other frame go anywhere, not even to a page of ours', () => {
    for (const [url] of table) expect(isNavigationAllowed({ url, isMainFrame: false }), url).toBe(false);
  });
});

const OWN = 'app://desk';

describe('what a page may be allowed', () => {
  it.each(Object.keys(permissions))('%s: only copying to the clipboard', (permission) => {
    expect(isPermissionGranted(permission, OWN)).toBe(permission === 'clipboard-sanitized-write');
  });

  it('is decided for every permission that Electron names', () => {
    const types = readFileSync('node_modules/electron/electron.d.ts', 'utf8');
    const [, union = ''] =
      /setPermissionRequestHandler\(handler: \(\(webContents: WebContents, permission: ([^,]+),/.exec(
        types,
      ) ?? [];
    const named = [...union.matchAll(/'([^']+)'/g)].map(([, name]) => name);
    expect(named.length).toBeGreaterThan(40);
    expect(Object.keys(permissions).toSorted()).toEqual(named.toSorted());
  });

  it.each(['', 'a-permission-of-next-year', 'toString', '__proto__'])(
    'is not what nobody knows: "%s"',
    (permission) => expect(isPermissionGranted(permission, OWN)).toBe(false),
  );

  it.each(['', 'null', 'app://', 'app://other', 'app://desk.evil', 'https://desk', 'APP://DESK', 'file://'])(
    'is nothing for a page of "%s"',
    (origin) => expect(isPermissionGranted('clipboard-sanitized-write', origin)).toBe(false),
  );

  it('takes the origin with and without the slash that Chromium writes', () => {
    expect(isPermissionGranted('clipboard-sanitized-write', `${OWN}/`)).toBe(true);
  });
});

/** Address, whether it is allowed when installed, and in development. */
const addresses: readonly (readonly [string, boolean, boolean])[] = [
  ['app://desk/assets/index-12345678.js', true, true],
  ['blob:app://desk/7d3c2a4e', true, true],
  ['devtools://devtools/bundled/devtools_app.html', false, true],
  ['devtools://evil/', false, false],
  ['app://other/x.js', false, false],
  ['blob:app://other/7d3c2a4e', false, false],
  ['blob:https://evil/7d3c2a4e', false, false],
  ['blob:null/7d3c2a4e', false, false],
  ['file:///etc/passwd', false, false],
  ['data:text/plain,x', false, false],
  ['javascript:alert(1)', false, false],
  ['ftp://evil/x', false, false],
  ['http://127.0.0.1:4747/', false, false],
  ['https://evil/', false, false],
  ['ws://127.0.0.1/', false, false],
  ['wss://evil/', false, false],
  ['chrome-extension://abc/x.js', false, false],
  ['chrome://gpu/', false, false],
  ['vms-export-agent://incident/x', false, false],
  ['', false, false],
];

describe('what a window may load', () => {
  it.each(addresses)('%s: installed %s, in development %s', (url, installed, development) => {
    expect(isRequestAllowed(url, true)).toBe(installed);
    expect(isRequestAllowed(url, false)).toBe(development);
  });
});
