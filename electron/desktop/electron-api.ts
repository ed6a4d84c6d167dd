import type * as common from 'electron/common';
import type * as main from 'electron/main';

/**
 * The parts of Electron that the desktop app uses in the main process, under Electron's names. electron/main.ts passes
 * them in, and each module takes the members it needs (`Pick<ElectronApi, 'Menu'>`), so that nothing else loads
 * Electron at run time.
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
