import type { Session } from 'electron/main';
import { isOwnOrigin } from './app-scheme.ts';

type RequestHandler = NonNullable<Parameters<Session['setPermissionRequestHandler']>[0]>;
/** What a page can ask to be allowed, as Electron names it. */
export type Permission = Parameters<RequestHandler>[1];

/** Each permission that this version of Electron knows: a new one has to be decided here before it compiles. */
export const permissions: Readonly<Record<Permission, boolean>> = {
  ar: false,
  'automatic-fullscreen': false,
  'background-fetch': false,
  'background-sync': false,
  'captured-surface-control': false,
  'clipboard-read': false,
  // "Copy" buttons: writing plain text after a click
  'clipboard-sanitized-write': true,
  'deprecated-sync-clipboard-read': false,
  'display-capture': false,
  fileSystem: false,
  fullscreen: false,
  geolocation: false,
  'geolocation-approximate': false,
  'hand-tracking': false,
  hid: false,
  'idle-detection': false,
  keyboardLock: false,
  'local-fonts': false,
  'local-network': false,
  'local-network-access': false,
  'loopback-network': false,
  media: false,
  mediaKeySystem: false,
  midi: false,
  midiSysex: false,
  nfc: false,
  // Notifications are the main process's
  notifications: false,
  openExternal: false,
  'payment-handler': false,
  'periodic-background-sync': false,
  'persistent-storage': false,
  pointerLock: false,
  'screen-wake-lock': false,
  sensors: false,
  serial: false,
  'smart-card': false,
  'speaker-selection': false,
  'storage-access': false,
  'system-wake-lock': false,
  'top-level-storage-access': false,
  usb: false,
  vr: false,
  'web-app-installation': false,
  'web-printing': false,
  'window-management': false,
  unknown: false,
};

const granted: ReadonlySet<string> = new Set(
  Object.entries(permissions).flatMap(([name, isGranted]) => (isGranted ? [name] : [])),
);

/** Whether a page of this origin is allowed it; what is not known is not allowed. */
export function isPermissionGranted(permission: string, origin: string): boolean {
  return granted.has(permission) && isOwnOrigin(origin);
}
