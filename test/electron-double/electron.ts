import type { ElectronApi } from '../../electron/desktop/electron-api.ts';
import { createApp } from './app.ts';
import { openChromium, type Chromium } from './chromium.ts';
import { OPTIONS_VARIABLE, type DoubleOptions } from './control.ts';
import { createDialogs } from './dialogs.ts';
import { createIpc } from './ipc.ts';
import { createMenus } from './menus.ts';
import { createPageUrls } from './page-urls.ts';
import { createControl, serveControl } from './serve-control.ts';
import { createSessions } from './session.ts';
import { createSystem } from './system.ts';
import { createWindows, roleActions } from './windows.ts';

/** The `electron` module of a process started with register.ts, as the app imports it. */
const options = JSON.parse(process.env[OPTIONS_VARIABLE] ?? '{}') as DoubleOptions;

let started: Promise<Chromium> | undefined;
const chromium = (): Promise<Chromium> => (started ??= openChromium(options));

const urls = createPageUrls();
const doubleApp = createApp({
  ...options,
  windows: () => windows.list(),
});
// Started alongside the app, like Electron's Chromium; a refused start never gets here. The first window reports
// whether it could be started.
doubleApp.events.once('ready', () => void chromium().catch(() => undefined));
const sessions = createSessions(urls, doubleApp.isReady);
const ipc = createIpc();
const windows = createWindows({ chromium, urls, sessions, ipc, appEvents: doubleApp.events });
const menus = createMenus(() => windows.list()[0]?.window, roleActions(windows.list), options);
const dialogs = createDialogs(options);
const system = createSystem(options);
serveControl(
  createControl({
    app: doubleApp.app,
    appEvents: doubleApp.events,
    chromium,
    windows,
    menus,
    dialogs,
    system,
    ipc,
  }),
);

/** Exactly the members of Electron that the app uses: one name less or more is a type error. */
const electron: ElectronApi = {
  app: doubleApp.app,
  BrowserWindow: windows.BrowserWindow,
  dialog: dialogs.dialog,
  ipcMain: ipc.ipcMain,
  Menu: menus.Menu,
  nativeImage: system.nativeImage,
  nativeTheme: system.nativeTheme,
  Notification: dialogs.Notification,
  powerMonitor: system.powerMonitor,
  powerSaveBlocker: system.powerSaveBlocker,
  protocol: sessions.protocol,
  safeStorage: system.safeStorage,
  screen: system.screen,
  session: sessions.session,
  shell: system.shell,
  Tray: menus.Tray,
};
export const {
  app,
  BrowserWindow,
  dialog,
  ipcMain,
  Menu,
  nativeImage,
  nativeTheme,
  Notification,
  powerMonitor,
  powerSaveBlocker,
  protocol,
  safeStorage,
  screen,
  session,
  shell,
  Tray,
} = electron;
