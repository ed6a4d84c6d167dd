import { join } from 'node:path';
import type { Tray } from 'electron/main';
import type { ElectronApi } from '../electron-api.ts';
import type { TrayIcon } from './tray.ts';

interface Deps {
  readonly electron: Pick<ElectronApi, 'Menu' | 'nativeImage' | 'Tray'>;
  readonly platform: NodeJS.Platform;
  /** Folder with a picture of each state (scripts/icons/icon-files.ts), absolute. */
  readonly pictures: string;
  readonly onOpen: () => void;
}

/** The icon in the system's tray; made when there is something to show. */
export function createTrayIcon({ electron, platform, pictures, onOpen }: Deps): TrayIcon {
  const { Menu, nativeImage, Tray } = electron;
  // Electron takes the picture for dense screens (@2x) along, and knows what macOS colours itself by this name
  const form = platform === 'darwin' ? 'Template' : '';
  let tray: Tray | undefined;

  return {
    show(glyph, line, menu) {
      const image = nativeImage.createFromPath(join(pictures, `${glyph}${form}.png`));
      if (tray === undefined) {
        tray = new Tray(image);
        // On macOS a click opens the menu
        if (platform !== 'darwin') tray.on('click', onOpen);
      } else {
        tray.setImage(image);
      }
      tray.setToolTip(`VMS Export Agent: ${line}`);
      tray.setContextMenu(Menu.buildFromTemplate([...menu]));
    },
    destroy() {
      tray?.destroy();
      tray = undefined;
    },
  };
}
