import type { Session, WebContents } from 'electron/main';
import type { Logger } from '../../agent/index.ts';
import type { ElectronApi } from '../electron-api.ts';
import { isOwnAddress, APP_ORIGIN, isOwnOrigin } from './app-protocol.ts';

/** The part of a session that is guarded. */
export type GuardedSession = Pick<
  Session,
  | 'on'
  | 'setDevicePermissionHandler'
  | 'setDisplayMediaRequestHandler'
  | 'setPermissionCheckHandler'
  | 'setPermissionRequestHandler'
  | 'webRequest'
>;

/** Sets every handler that can deny a page access to something: without a handler, Electron allows it. */
export function guardSession(
  session: GuardedSession,
  { isPackaged, logger }: { readonly isPackaged: boolean; readonly logger: Logger },
): void {
  session.setPermissionRequestHandler((_contents, permission, answer, { requestingUrl, isMainFrame }) => {
    const origin = isMainFrame ? originOf(requestingUrl) : '';
    const isGranted = isPermissionGranted(permission, origin);
    if (!isGranted) logger.warn('A page was refused a permission', { permission });
    answer(isGranted);
  });
  session.setPermissionCheckHandler((_contents, permission, requestingOrigin, { isMainFrame }) =>
    isMainFrame ? isPermissionGranted(permission, requestingOrigin) : false,
  );
  session.setDevicePermissionHandler(() => false);
  session.setDisplayMediaRequestHandler((_request, answer) => answer(null));
  session.webRequest.onBeforeRequest(({ url, resourceType }, answer) => {
    const isAllowed = isRequestAllowed(url, isPackaged);
    if (!isAllowed) logger.warn('A page was refused a request', { scheme: schemeOf(url), resourceType });
    answer({ cancel: !isAllowed });
  });
  // Files are saved through the system's dialog, by a command (desktop-commands.ts)
  session.on('will-download', (event) => event.preventDefault());
}

/** Scheme and host of an address; Node's parser has no origin for custom schemes. */
function originOf(url: string): string {
  const { protocol, host } = URL.parse(url) ?? { protocol: '', host: '' };
  return `${protocol}//${host}`;
}

const schemeOf = (url: string): string => URL.parse(url)?.protocol ?? 'unreadable';

/** The part of a window's contents that is guarded. */
type GuardedContents = Pick<WebContents, 'on' | 'setWindowOpenHandler'>;

/** Guards the contents of every window from its first moment: no way out of the app's pages, no second window. */
export function guardAllContents(
  { app }: { readonly app: Pick<ElectronApi['app'], 'on'> },
  logger: Logger,
): void {
  app.on('web-contents-created', (_event, contents) => guardContents(contents, logger));
}

export function guardContents(contents: GuardedContents, logger: Logger): void {
  const refuse = (what: string, details: { preventDefault(): void }): void => {
    details.preventDefault();
    logger.warn('A page was prevented from leaving the app', { what });
  };
  contents.on('will-navigate', (details) => {
    if (!isNavigationAllowed(details)) refuse('navigation', details);
  });
  contents.on('will-frame-navigate', (details) => {
    if (!isNavigationAllowed(details)) refuse('frame navigation', details);
  });
  contents.on('will-redirect', (details) => {
    if (!isNavigationAllowed(details)) refuse('redirect', details);
  });
  contents.on('will-attach-webview', (event) => refuse('webview', event));
  contents.setWindowOpenHandler(() => {
    logger.warn('A page was prevented from leaving the app', { what: 'new window' });
    return { action: 'deny' };
  });
}

/** A navigation that a frame of a window is about to make. */
interface Navigation {
  readonly url: string;
  readonly isMainFrame: boolean;
}

/** Whether a frame may go there: only the main frame, and only to the app's own pages. There are no other frames. */
export function isNavigationAllowed({ url, isMainFrame }: Navigation): boolean {
  return isMainFrame && isOwnAddress(url);
}

/**
 * Whether a window may load this: the app's own pages and the images that they created (`blob:`); in development also
 * the developer tools. All traffic with the service is the agent's and does not pass through here.
 */
export function isRequestAllowed(url: string, isPackaged: boolean): boolean {
  if (isOwnAddress(url) || url.startsWith(`blob:${APP_ORIGIN}/`)) return true;
  return !isPackaged && url.startsWith('devtools://devtools/');
}

type RequestHandler = NonNullable<Parameters<Session['setPermissionRequestHandler']>[0]>;

/** A permission that a page can request, as Electron names it. */
type Permission = Parameters<RequestHandler>[1];

/** Every permission that this version of Electron knows: a new one has to be decided here before the code compiles. */
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
  // The main process shows notifications
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

/** Whether a page of this origin has the permission; unknown permissions are denied. */
export function isPermissionGranted(permission: string, origin: string): boolean {
  return granted.has(permission) && isOwnOrigin(origin);
}
