import { EventEmitter } from 'node:events';
import type { WindowBounds, WindowFacts } from './control.ts';
import { createContents, type ContentsNeeds, type DoubleContents } from './web-contents.ts';
import type { RoleActions } from './menus.ts';
import type { DoubleSessions } from './session.ts';
import { preventable, strict, strictClass } from './strict.ts';
import { endSoon } from './system.ts';

/** A window, and the double's own access to it. */
export interface DoubleWindow {
  readonly window: Electron.BrowserWindow;
  readonly page: DoubleContents['page'];
  /** The window's state as the system sees it. */
  readonly facts: () => Omit<WindowFacts, 'exists'>;
  /** Moves and sizes the window, as a person does. */
  readonly place: (bounds: WindowBounds) => void;
  /** Minimises the window, as from the task bar. */
  readonly minimize: () => void;
  /** Makes its page stop answering input, or answer it again. */
  readonly hang: (isHung: boolean) => void;
  /** Ends the person's session, as Windows does. */
  readonly endSession: () => void;
}

export interface DoubleWindows {
  readonly BrowserWindow: typeof Electron.BrowserWindow;
  readonly list: () => readonly DoubleWindow[];
}

interface WindowNeeds extends Omit<ContentsNeeds, 'session'> {
  readonly sessions: DoubleSessions;
  /** `web-contents-created` and the like, `window-all-closed`. */
  readonly appEvents: EventEmitter;
}

export function createWindows(needs: WindowNeeds): DoubleWindows {
  const windows: DoubleWindow[] = [];
  let lastId = 0;

  function remove(window: Electron.BrowserWindow): void {
    const index = windows.findIndex((known) => known.window === window);
    if (index !== -1) windows.splice(index, 1);
    if (windows.length === 0) queueMicrotask(() => needs.appEvents.emit('window-all-closed'));
  }

  function construct(options: Electron.BrowserWindowConstructorOptions = {}): Electron.BrowserWindow {
    lastId += 1;
    const made = makeWindow(lastId, options, needs, remove);
    windows.push(made);
    needs.appEvents.emit('web-contents-created', preventable({}), made.window.webContents);
    needs.appEvents.emit('browser-window-created', preventable({}), made.window);
    return made.window;
  }
  return {
    list: () => windows,
    BrowserWindow: strictClass<typeof Electron.BrowserWindow>('BrowserWindow', construct, {}),
  };
}

/** Editing commands of Chromium, by the roles that perform them. */
const editing = ['undo', 'redo', 'cut', 'copy', 'paste', 'selectAll'];

/** The effect of items with these roles on the first window. */
export function roleActions(list: () => readonly DoubleWindow[]): RoleActions {
  const edit = (command: string) => async (): Promise<void> => {
    const page = await list()[0]?.page;
    const key = { key: 'Unidentified', commands: [command] };
    await page?.session.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...key });
  };
  return {
    ...Object.fromEntries(editing.map((role) => [role, () => void edit(role)()])),
    close: () => list()[0]?.window.close(),
    minimize: () => list()[0]?.minimize(),
  };
}

/** Rights that a page must not have; a window that asks for them is a mistake that must not go unnoticed. */
function refuseOpenWalls({
  contextIsolation,
  sandbox,
  nodeIntegration,
  webSecurity,
}: Electron.WebPreferences): void {
  if (contextIsolation === false || sandbox === false || nodeIntegration === true || webSecurity === false)
    throw new Error('electron-double shows sandboxed, isolated pages only.');
}

function makeWindow(
  id: number,
  options: Electron.BrowserWindowConstructorOptions,
  needs: WindowNeeds,
  onClosed: (window: Electron.BrowserWindow) => void,
): DoubleWindow {
  const events = new EventEmitter();
  refuseOpenWalls(options.webPreferences ?? {});
  let bounds: WindowBounds = {
    x: options.x ?? 0,
    y: options.y ?? 0,
    width: options.width ?? 800,
    height: options.height ?? 600,
  };
  const state = {
    isVisible: options.show !== false,
    isFocused: options.show !== false,
    isMaximized: false,
    isMinimized: false,
    isDestroyed: false,
    isReady: false,
  };
  const { contents, page, load, destroy } = createContents(
    { ...needs, session: needs.sessions.of(options.webPreferences?.partition) },
    {
      ...bounds,
      preload: options.webPreferences?.preload,
      onLoaded() {
        if (!state.isReady) events.emit('ready-to-show');
        state.isReady = true;
      },
    },
  );

  function focus(isFocused: boolean): void {
    if (state.isFocused === isFocused) return;
    state.isFocused = isFocused;
    events.emit(isFocused ? 'focus' : 'blur');
    needs.appEvents.emit(isFocused ? 'browser-window-focus' : 'browser-window-blur', preventable({}), window);
  }
  function show(isVisible: boolean): void {
    if (state.isVisible === isVisible) return;
    state.isVisible = isVisible;
    events.emit(isVisible ? 'show' : 'hide');
  }
  function maximize(isMaximized: boolean): void {
    if (state.isMaximized === isMaximized) return;
    state.isMaximized = isMaximized;
    events.emit(isMaximized ? 'maximize' : 'unmaximize');
    events.emit('resize');
  }
  function end(): void {
    if (state.isDestroyed) return;
    state.isDestroyed = true;
    focus(false);
    events.emit('closed');
    onClosed(window);
    void destroy();
  }
  const window: Electron.BrowserWindow = strict<Electron.BrowserWindow>(
    'BrowserWindow',
    {
      id,
      webContents: contents,
      loadURL: (url) => load(url),
      isDestroyed: () => state.isDestroyed,
      isVisible: () => state.isVisible && !state.isMinimized,
      isFocused: () => state.isFocused,
      isMinimized: () => state.isMinimized,
      isMaximized: () => state.isMaximized,
      show() {
        show(true);
        focus(true);
      },
      hide() {
        focus(false);
        show(false);
      },
      focus: () => focus(true),
      blur: () => focus(false),
      restore() {
        if (!state.isMinimized) return;
        state.isMinimized = false;
        events.emit('restore');
      },
      maximize: () => maximize(true),
      unmaximize: () => maximize(false),
      getNormalBounds: () => ({ ...bounds }),
      setBounds: (next) => void (bounds = { ...bounds, ...next }),
      setMenu: () => undefined,
      reload: () => contents.reload(),
      close() {
        const event = preventable({});
        events.emit('close', event);
        if (!event.defaultPrevented) end();
      },
      destroy: end,
    },
    events,
  );
  return {
    window,
    page,
    facts: () => ({
      isVisible: state.isVisible && !state.isMinimized,
      isFocused: state.isFocused,
      isMaximized: state.isMaximized,
      bounds,
    }),
    place(next) {
      bounds = next;
      events.emit('move');
      events.emit('resize');
    },
    minimize() {
      focus(false);
      state.isMinimized = true;
      events.emit('minimize');
    },
    hang: (isHung) => void events.emit(isHung ? 'unresponsive' : 'responsive'),
    endSession() {
      events.emit('session-end', preventable({ reasons: ['logoff'] }));
      // Windows grants every app this time, without being asked
      endSoon(true);
    },
  };
}
