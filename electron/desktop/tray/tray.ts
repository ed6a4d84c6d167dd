import { isDeepStrictEqual } from 'node:util';
import type { MenuItemConstructorOptions } from 'electron/main';
import type { DeskState } from './health-poll.ts';
import { trayStateOf, type TrayGlyph, type TrayState } from './tray-state.ts';

/** What can be done from the tray. */
export interface TrayOrders {
  readonly open: () => void;
  readonly pause: () => void;
  readonly resume: () => void;
  readonly showFailed: () => void;
  readonly addFolder: () => void;
  readonly quit: () => void;
}

/** The icon in the tray, made by the system. */
export interface TrayIcon {
  show(glyph: TrayGlyph, line: string, menu: readonly MenuItemConstructorOptions[]): void;
  destroy(): void;
}

/** The menu of the tray: state first, then what it asks for. */
export function trayMenu(state: TrayState, orders: TrayOrders): readonly MenuItemConstructorOptions[] {
  const { line, isPaused, failed } = state;
  const pauseItem: MenuItemConstructorOptions = isPaused
    ? { label: 'Resume all uploads', click: orders.resume }
    : { label: 'Pause all uploads', click: orders.pause, enabled: isPaused !== undefined };
  return [
    // On Windows an ampersand marks the next letter as a key
    { label: line.replaceAll('&', '&&'), enabled: false },
    { type: 'separator' },
    pauseItem,
    { label: `Failed (${failed})`, click: orders.showFailed, enabled: failed > 0 },
    { type: 'separator' },
    { label: 'Open', click: orders.open },
    { label: 'Add folder…', click: orders.addFolder },
    { type: 'separator' },
    { label: 'Quit', click: orders.quit },
  ];
}

/** Keeps the tray in step with the desk; the icon is touched only when something it shows has changed. */
export function createTray(
  icon: TrayIcon,
  orders: TrayOrders,
): { readonly update: (state: DeskState) => void } {
  let shown: TrayState | undefined;
  return {
    update(desk) {
      const state = trayStateOf(desk);
      if (isDeepStrictEqual(state, shown)) return;
      shown = state;
      icon.show(state.glyph, state.line, trayMenu(state, orders));
    },
  };
}
