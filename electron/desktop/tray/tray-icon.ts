import type { NativeImage } from 'electron/common';
import type { Tray } from 'electron/main';
import { drawGlyph } from './draw-glyph.ts';
import type { ElectronApi } from '../electron-api.ts';
import { encodePng } from './encode-png.ts';
import type { TrayGlyph } from './tray.ts';
import type { TrayIcon } from './tray.ts';

/** Size of a tray icon, pixels at scale 1; the doubled one is for dense screens. */
const SIZE = 16;
const SCALES = [1, 2] as const;

interface IconDeps {
  readonly electron: Pick<ElectronApi, 'Menu' | 'nativeImage' | 'Tray'>;
  readonly platform: NodeJS.Platform;
  readonly onOpen: () => void;
}

/** The icon in the system's tray; made when there is something to show. */
export function createTrayIcon({ electron, platform, onOpen }: IconDeps): TrayIcon {
  const { Menu, nativeImage, Tray } = electron;
  const images = new Map<TrayGlyph, NativeImage>();
  let tray: Tray | undefined;

  function imageOf(glyph: TrayGlyph): NativeImage {
    const known = images.get(glyph);
    if (known !== undefined) return known;
    const isTemplate = platform === 'darwin';
    const image = nativeImage.createEmpty();
    for (const scaleFactor of SCALES) {
      const buffer = encodePng(drawGlyph(glyph, SIZE * scaleFactor, isTemplate));
      image.addRepresentation({ scaleFactor, buffer });
    }
    image.setTemplateImage(isTemplate);
    images.set(glyph, image);
    return image;
  }

  return {
    show(glyph, line, menu) {
      if (tray === undefined) {
        tray = new Tray(imageOf(glyph));
        // On macOS a click opens the menu
        if (platform !== 'darwin') tray.on('click', onOpen);
      } else {
        tray.setImage(imageOf(glyph));
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
