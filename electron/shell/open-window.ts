import type { BrowserWindow, BrowserWindowConstructorOptions } from 'electron/main';
import type { ElectronApi } from './electron-api.ts';
import { webPreferences } from './web-preferences.ts';

/** Makes a window with the walls that every window has; what it looks like is the caller's. */
export type OpenWindow = (looks: Omit<BrowserWindowConstructorOptions, 'webPreferences'>) => BrowserWindow;

/** The only place that makes windows. `preload` is the absolute path of the script that all get. */
export function createOpenWindow(
  {
    BrowserWindow,
    app,
  }: Pick<ElectronApi, 'BrowserWindow'> & { readonly app: { readonly isPackaged: boolean } },
  preload: string,
): OpenWindow {
  const walls = webPreferences(preload, app.isPackaged);
  return (looks) => new BrowserWindow({ ...looks, webPreferences: walls });
}
