import type { Session } from 'electron/main';
import type { Logger } from '../../agent/index.ts';
import { isPermissionGranted } from './permission-policy.ts';
import { isRequestAllowed } from './request-policy.ts';

/** What is guarded of a session. */
export type GuardedSession = Pick<
  Session,
  | 'on'
  | 'setDevicePermissionHandler'
  | 'setDisplayMediaRequestHandler'
  | 'setPermissionCheckHandler'
  | 'setPermissionRequestHandler'
  | 'webRequest'
>;

/** Sets every handler by which a page could get at something: without a handler Electron allows it. */
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
  // What is saved goes through the system's dialog by an order (desktop-orders.ts)
  session.on('will-download', (event) => event.preventDefault());
}

/** Scheme and host of an address; the parser of Node knows no origin for schemes of its own. */
function originOf(url: string): string {
  const { protocol, host } = URL.parse(url) ?? { protocol: '', host: '' };
  return `${protocol}//${host}`;
}

const schemeOf = (url: string): string => URL.parse(url)?.protocol ?? 'unreadable';
