import type * as common from 'electron/common';
import type * as main from 'electron/main';

/**
 * What the desktop app uses of Electron in the main process, under the names it has there. electron/main.ts hands it in;
 * a module takes the members that it needs (`Pick<ElectronApi, 'Menu'>`), so that nothing else loads Electron at run
 * time.
 */
export type ElectronApi = Pick<
  typeof main,
  | 'app'
  | 'BrowserWindow'
  | 'dialog'
  | 'ipcMain'
  | 'Menu'
  | 'nativeTheme'
  | 'Notification'
  | 'powerMonitor'
  | 'powerSaveBlocker'
  | 'protocol'
  | 'safeStorage'
  | 'screen'
  | 'session'
  | 'Tray'
> &
  Pick<typeof common, 'nativeImage' | 'shell'>;
