import type { BrowserWindow, BrowserWindowConstructorOptions, WebPreferences } from 'electron/main';
import type { ElectronApi } from '../electron-api.ts';

/** Makes a window with the preferences that every window has; what it looks like is the caller's. */
export type OpenWindow = (
  looks: Omit<BrowserWindowConstructorOptions, 'webPreferences'>,
  box?: Box,
) => BrowserWindow;

/** A window that is kept from all others: a session of its own, in memory, and no script that speaks with the app. */
interface Box {
  /** Name of the session; without `persist:` it is in memory. */
  readonly partition: string;
}

/** The only place that makes windows. `preload` is the absolute path of the script that all get but those in a box. */
export function createOpenWindow(
  {
    BrowserWindow,
    app,
  }: Pick<ElectronApi, 'BrowserWindow'> & { readonly app: { readonly isPackaged: boolean } },
  preload: string,
): OpenWindow {
  const preferences = securityPreferences(preload, app.isPackaged);
  // A window in a box works without being seen
  const { preload: _none, ...boxPreferences } = securityPreferences(preload, app.isPackaged, false);
  return (looks, box) =>
    new BrowserWindow({
      ...looks,
      webPreferences: box === undefined ? preferences : { ...boxPreferences, partition: box.partition },
    });
}

/** What keeps a page in its box: each of these is said, whatever Electron's own default is or becomes. */
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
    // Its dictionaries would be loaded from elsewhere
    spellcheck: false,
    webgl: false,
    webSecurity: true,
    webviewTag: false,
  });
}
