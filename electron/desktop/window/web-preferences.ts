import type { WebPreferences } from 'electron/main';

/** What keeps a page in its box: each of these is said, whatever Electron's own default is or becomes. */
type Walls = Required<
  Pick<
    WebPreferences,
    | 'allowRunningInsecureContent'
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
export function webPreferences(preload: string, isPackaged: boolean): Readonly<Walls> {
  return Object.freeze({
    allowRunningInsecureContent: false,
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
