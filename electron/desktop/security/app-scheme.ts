/** The scheme of the app's own pages; only this program answers it. */
export const APP_SCHEME = 'app';
/** The one host under it. */
export const APP_HOST = 'desk';
/** The origin of every page of the app. */
export const APP_ORIGIN = `${APP_SCHEME}://${APP_HOST}`;

/**
 * Whether an address is one of the app's own pages, in the spelling that Chromium gives to addresses. Compared as
 * text on purpose: another spelling, a user name, a `blob:` in front are not what our pages write.
 */
export function isOwnAddress(url: string): boolean {
  return url.startsWith(`${APP_ORIGIN}/`) && URL.canParse(url);
}

/** Whether an origin, as permission requests name it, is the app's own. */
export function isOwnOrigin(origin: string): boolean {
  return origin === APP_ORIGIN || origin === `${APP_ORIGIN}/`;
}

/** What the scheme may do: a secure origin like https, and nothing that gets round the policy of the pages. */
export const appScheme = {
  scheme: APP_SCHEME,
  privileges: {
    standard: true,
    secure: true,
    supportFetchAPI: true,
    bypassCSP: false,
    allowServiceWorkers: false,
    corsEnabled: false,
    // A video element of the window that makes pictures asks for pieces of a clip
    stream: true,
    codeCache: true,
    allowExtensions: false,
  },
} as const;
