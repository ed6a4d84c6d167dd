import type { BrowserWindow, BrowserWindowConstructorOptions, WebPreferences } from 'electron/main';
import { z } from 'zod';
import type { ElectronApi } from '../electron-api.ts';
import type { Clock, Logger } from '../../agent/index.ts';
import { createJsonFile } from '../json-file.ts';

/** Creates a window with the preferences that every window has; how it looks is up to the caller. */
export type OpenWindow = (
  looks: Omit<BrowserWindowConstructorOptions, 'webPreferences'>,
  box?: Box,
) => BrowserWindow;

/** Isolates a window from all others: a session of its own, in memory, and no script that talks to the app. */
interface Box {
  /** Name of the session; without `persist:` it is in memory. */
  readonly partition: string;
}

/**
 * The only place that creates windows. `preload` is the absolute path of the script that all get except those in a box.
 */
export function createOpenWindow(
  {
    BrowserWindow,
    app,
  }: Pick<ElectronApi, 'BrowserWindow'> & { readonly app: { readonly isPackaged: boolean } },
  preload: string,
): OpenWindow {
  const preferences = securityPreferences(preload, app.isPackaged);
  // A window in a box works unseen, so it must not be throttled
  const { preload: _none, ...boxPreferences } = securityPreferences(preload, app.isPackaged, false);
  return (looks, box) =>
    new BrowserWindow({
      ...looks,
      webPreferences: box === undefined ? preferences : { ...boxPreferences, partition: box.partition },
    });
}

/** What confines a page. Each is set explicitly, whatever Electron's own default is or becomes. */
type SecurityPreferences = Required<
  Pick<
    WebPreferences,
    | 'allowRunningInsecureContent'
    | 'backgroundThrottling'
    | 'contextIsolation'
    | 'devTools'
    | 'disableBlinkFeatures'
    | 'disableDialogs'
    | 'enableBlinkFeatures'
    | 'enableDeprecatedPaste'
    | 'experimentalFeatures'
    | 'javascript'
    | 'navigateOnDragDrop'
    | 'nodeIntegration'
    | 'nodeIntegrationInSubFrames'
    | 'nodeIntegrationInWorker'
    | 'plugins'
    | 'preload'
    | 'safeDialogs'
    | 'sandbox'
    | 'spellcheck'
    | 'webgl'
    | 'webSecurity'
    | 'webviewTag'
  >
>;

/** The preferences of every window: `preload` is the absolute path of its script. */
export function securityPreferences(
  preload: string,
  isPackaged: boolean,
  isThrottled = true,
): Readonly<SecurityPreferences> {
  return Object.freeze({
    allowRunningInsecureContent: false,
    backgroundThrottling: isThrottled,
    contextIsolation: true,
    devTools: !isPackaged,
    disableBlinkFeatures: '',
    disableDialogs: true,
    enableBlinkFeatures: '',
    enableDeprecatedPaste: false,
    experimentalFeatures: false,
    javascript: true,
    navigateOnDragDrop: false,
    nodeIntegration: false,
    nodeIntegrationInSubFrames: false,
    nodeIntegrationInWorker: false,
    plugins: false,
    preload,
    safeDialogs: true,
    sandbox: true,
    // Its dictionaries would be downloaded from elsewhere
    spellcheck: false,
    webgl: false,
    webSecurity: true,
    webviewTag: false,
  });
}

/** Time without a move after which the position is saved, milliseconds: a drag is hundreds of moves. */
const REST_MS = 500;

const coordinate = z.int().min(-100_000).max(100_000);
const stateSchema = z
  .object({
    bounds: z
      .object({
        x: coordinate,
        y: coordinate,
        width: z.int().min(1).max(100_000),
        height: z.int().min(1).max(100_000),
      })
      .readonly(),
    isMaximised: z.boolean(),
  })
  .readonly();

type WindowState = z.infer<typeof stateSchema>;

/** The part of a window that matters for its position. */
interface PlacedWindow {
  getNormalBounds(): Bounds;
  isMaximized(): boolean;
  isDestroyed(): boolean;
  on(event: 'move', listener: () => void): unknown;
  on(event: 'resize', listener: () => void): unknown;
  on(event: 'close', listener: () => void): unknown;
}

interface Deps {
  readonly file: string;
  /** Work areas of the screens, the primary one first. */
  readonly areas: () => readonly Bounds[];
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The position of the window, kept across starts. */
interface WindowPlace {
  /** Where to open it, on the screens that are connected now. */
  read(): Promise<{ readonly bounds: Bounds; readonly isMaximised: boolean }>;
  /** Saves where it is from now on. */
  follow(window: PlacedWindow): void;
  /** Moves a window whose screen is gone onto one that is connected. */
  rescue(window: Pick<PlacedWindow, 'getNormalBounds'> & { setBounds(bounds: Bounds): void }): void;
  /** Saves a recent move before the app ends. Resolves when all is written; never rejects. */
  settle(): Promise<void>;
}

/** Creates the store of the window's position. */
export function createWindowPlace({ file, areas, clock, logger }: Deps): WindowPlace {
  const stored = createJsonFile<WindowState>({ file, schema: stateSchema, logger });
  /** Moved and not saved yet. */
  let moving: PlacedWindow | undefined;
  let writing: Promise<void> = Promise.resolve();

  function keep(window: PlacedWindow): void {
    moving = undefined;
    if (window.isDestroyed()) return;
    const { x, y, width, height } = window.getNormalBounds();
    writing = stored
      .write({ bounds: { x, y, width, height }, isMaximised: window.isMaximized() })
      .catch((error: unknown) => logger.warn('The position of the window could not be saved', { error }));
  }

  return {
    async read() {
      const state = await stored.read();
      return { bounds: fitBounds(state?.bounds, areas()), isMaximised: state?.isMaximised ?? false };
    },
    follow(window) {
      let resting: AbortController | undefined;
      const moved = (): void => {
        resting?.abort();
        const mine = new AbortController();
        resting = mine;
        moving = window;
        clock.sleep(REST_MS, mine.signal).then(
          () => keep(window),
          () => undefined,
        );
      };
      window.on('move', moved);
      window.on('resize', moved);
      window.on('close', () => {
        resting?.abort();
        keep(window);
      });
    },
    rescue(window) {
      const bounds = window.getNormalBounds();
      if (!areas().some((area) => canBeDragged(bounds, area))) window.setBounds(fitBounds(bounds, areas()));
    },
    settle() {
      if (moving !== undefined) keep(moving);
      return writing;
    },
  };
}

/** A rectangle on the desktop, in device-independent pixels. */
export interface Bounds {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Smallest size of a restored window, pixels: as in main-window.ts. */
const LEAST_SIZE = { width: 720, height: 480 } as const;

/** Size of the first window. */
const USUAL_SIZE = { width: 1280, height: 800 } as const;

/** How much of the title bar must be on a screen for the window to be dragged, pixels. */
const GRASP = { width: 120, height: 40 } as const;

/**
 * Where the window opens: as it was left, if it can be dragged there on one of the screens' work areas; otherwise in
 * the middle of the first one. Never larger than its screen.
 */
export function fitBounds(left: Bounds | undefined, areas: readonly Bounds[]): Bounds {
  const [first = { x: 0, y: 0, ...USUAL_SIZE }] = areas;
  const home = left && areas.find((area) => canBeDragged(left, area));
  if (left === undefined || home === undefined) return centred(first);
  const width = Math.min(Math.max(left.width, LEAST_SIZE.width), home.width);
  const height = Math.min(Math.max(left.height, LEAST_SIZE.height), home.height);
  return { x: left.x, y: Math.max(left.y, home.y), width, height };
}

function canBeDragged({ x, y, width }: Bounds, area: Bounds): boolean {
  const shownWidth = Math.min(x + width, area.x + area.width) - Math.max(x, area.x);
  return shownWidth >= GRASP.width && y >= area.y - GRASP.height && y + GRASP.height <= area.y + area.height;
}

function centred(area: Bounds): Bounds {
  const width = Math.min(USUAL_SIZE.width, area.width);
  const height = Math.min(USUAL_SIZE.height, area.height);
  return {
    x: area.x + Math.round((area.width - width) / 2),
    y: area.y + Math.round((area.height - height) / 2),
    width,
    height,
  };
}
