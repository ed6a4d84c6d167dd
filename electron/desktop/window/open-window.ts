import type { BrowserWindow, BrowserWindowConstructorOptions } from 'electron/main';
import type { ElectronApi } from '../electron-api.ts';
import { webPreferences } from './web-preferences.ts';

/** Makes a window with the walls that every window has; what it looks like is the caller's. */
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
  const walls = webPreferences(preload, app.isPackaged);
  const { preload: _none, ...boxWalls } = walls;
  return (looks, box) =>
    new BrowserWindow({
      ...looks,
      webPreferences: box === undefined ? walls : { ...boxWalls, partition: box.partition },
    });
}
