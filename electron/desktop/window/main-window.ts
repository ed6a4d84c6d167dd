import type { BrowserWindow, BrowserWindowConstructorOptions, WebContents } from 'electron/main';
import { channels } from '../../../shared/ipc/channels.ts';
import type { DesktopEvent } from '../../../shared/ipc/desktop.ts';
import type { AgentSignal } from '../../../shared/ipc/events.ts';
import type { Logger } from '../../agent/index.ts';
import { APP_ORIGIN } from '../security/app-protocol.ts';
import type { ElectronApi } from '../electron-api.ts';
import type { CurrentPage } from '../security/ipc-gateway.ts';
import type { OpenWindow } from './open-window.ts';

/** The app's only window, as far as other modules need it. */
export interface MainWindow {
  /** Shows it, restores it from the dock or task bar, and focuses it. Opens it again if it was closed. */
  bringToFront(): void;
  hide(): void;
  isFocused(): boolean;
  /** Sends the event to the page; kept while there is no page yet. */
  tell(event: DesktopEvent): void;
}

/** Background until the first paint, as the pages' own (renderer/styles/tokens.css): no white flash in a dark room. */
const BACKGROUND = { dark: '#14181d', light: '#f4f6f8' };
/** Below this the queue's columns no longer fit, pixels. */
const LEAST_SIZE = { minWidth: 720, minHeight: 480 };
/** Most events that wait for a page. */
const MOST_WAITING = 100;

/** Where to put the window, as it was saved. */
export interface Placement {
  readonly bounds: Pick<BrowserWindowConstructorOptions, 'x' | 'y' | 'width' | 'height'>;
  readonly isMaximised: boolean;
}

/** Calls the listener with each signal until the returned function is called. */
type SignalSource = (listener: (signal: AgentSignal) => void) => () => void;

/** The window with the functions that only the composition root uses. */
export interface AppWindow extends MainWindow, CurrentPage {
  /** Opens it; if hidden, it works unseen until brought to front. Resolves when the page has been requested. */
  open(options: { readonly isHidden: boolean }): Promise<void>;
  /** Calls the listener with each window that is created from now on. */
  onOpened(listener: (window: BrowserWindow) => void): void;
  /** Sets the source of the agent's signals; subscribed to only while there is a page to pass them to. */
  sendSignals(source: SignalSource): void;
  /** The visible window; undefined when it is closed, hidden or minimised. */
  parent(): BrowserWindow | undefined;
  /** Brings it up for a dialog; undefined before the app opened it for the first time. */
  front(): Promise<BrowserWindow | undefined>;
  /** Destroys it without asking anyone. */
  destroy(): void;
}

interface Deps {
  readonly electron: Pick<ElectronApi, 'nativeTheme'>;
  readonly openWindow: OpenWindow;
  readonly place: {
    /** Where to open the window; called at each opening. Never rejects. */
    read(): Promise<Placement>;
    /** Called before the window is shown: its screen may be gone. */
    rescue(window: BrowserWindow): void;
  };
  readonly logger: Logger;
}

/** Creates the app's only window. A closed one is recreated when it is needed. */
export function createMainWindow(deps: Deps): AppWindow {
  const { electron, openWindow, place, logger } = deps;
  const openedListeners: ((window: BrowserWindow) => void)[] = [];
  let onSignal: SignalSource = () => () => undefined;
  const noPage = AbortSignal.abort(new Error('There is no page'));
  let current: BrowserWindow | undefined;
  let gone: AbortSignal = noPage;
  let isReady = false;
  let isOpening = false;
  /** False until the app opens it for the first time: before that, what it needs does not exist. */
  let mayOpen = false;
  /** A person asked to see it, perhaps before it was ready. */
  let isWanted = false;
  let waiting: readonly DesktopEvent[] = [];

  function deliverWaiting(contents: WebContents): void {
    const events = waiting;
    waiting = [];
    for (const event of events) contents.send(channels.event, event);
  }

  function follow(contents: WebContents): void {
    followPages(contents, {
      onBegin(page) {
        gone = page.gone;
        isReady = false;
        const unsubscribe = onSignal((signal) => contents.send(channels.signal, signal));
        page.gone.addEventListener('abort', () => {
          unsubscribe();
          // Another page may have been loaded already
          if (gone === page.gone) [gone, isReady] = [noPage, false];
        });
      },
      onReady() {
        isReady = true;
        deliverWaiting(contents);
      },
    });
  }

  async function open({ isHidden }: { readonly isHidden: boolean }): Promise<void> {
    mayOpen = true;
    isWanted ||= !isHidden;
    if (isOpening || current !== undefined) return;
    isOpening = true;
    const { bounds, isMaximised } = await place.read();
    isOpening = false;
    const window = openWindow({
      ...bounds,
      ...LEAST_SIZE,
      show: false,
      title: 'VMS Export Agent',
      backgroundColor: electron.nativeTheme.shouldUseDarkColors ? BACKGROUND.dark : BACKGROUND.light,
    });
    current = window;
    window.once('closed', () => {
      current = undefined;
      isWanted = false;
    });
    follow(window.webContents);
    for (const listener of openedListeners) listener(window);
    if (isMaximised) window.once('show', () => window.maximize());
    window.once('ready-to-show', () => {
      if (isWanted) window.show();
    });
    window.loadURL(`${APP_ORIGIN}/`).catch((error: unknown) => {
      logger.error('The page could not be loaded', { error });
    });
  }

  function show(window: BrowserWindow): void {
    if (window.isMinimized()) window.restore();
    place.rescue(window);
    window.show();
    window.focus();
  }

  return {
    open,
    onOpened: (listener) => void openedListeners.push(listener),
    sendSignals(source) {
      onSignal = source;
    },
    parent: () => (current?.isVisible() === true ? current : undefined),
    destroy: () => current?.destroy(),
    contents: () => current?.webContents,
    gone: () => gone,
    bringToFront() {
      isWanted = true;
      if (current === undefined) return mayOpen ? void open({ isHidden: false }) : undefined;
      show(current);
    },
    async front() {
      isWanted = true;
      if (current === undefined && mayOpen) await open({ isHidden: false });
      if (current !== undefined) show(current);
      return current;
    },
    hide: () => current?.hide(),
    isFocused: () => current?.isFocused() === true,
    tell(event) {
      if (isReady && current !== undefined) return current.webContents.send(channels.event, event);
      waiting = [...waiting, event].slice(-MOST_WAITING);
    },
  };
}

/** A page of the window from its first script to its end: reloaded, crashed or closed. */
interface PageLife {
  /** Aborted when the page is gone. */
  readonly gone: AbortSignal;
}

/** What happens to the page of one window. */
interface PageListener {
  /** Called for a new document, before its scripts run. */
  onBegin(page: PageLife): void;
  /** Called when its document is loaded: messages reach it from now on. */
  onReady(page: PageLife): void;
}

/** Follows the pages of a window's contents, one after the other. */
function followPages(contents: Pick<WebContents, 'on' | 'once'>, listener: PageListener): void {
  let ending: AbortController | undefined;

  function end(reason: string): void {
    ending?.abort(new Error(reason));
    ending = undefined;
  }

  contents.on('did-navigate', () => {
    end('The page was loaded again');
    ending = new AbortController();
    listener.onBegin({ gone: ending.signal });
  });
  contents.on('dom-ready', () => {
    if (ending !== undefined) listener.onReady({ gone: ending.signal });
  });
  contents.on('render-process-gone', () => end('The page crashed'));
  contents.once('destroyed', () => end('The window was closed'));
}
