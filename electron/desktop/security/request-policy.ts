import { APP_ORIGIN, isOwnAddress } from './app-scheme.ts';

/**
 * Whether a window may load this: the app's own pages and the images that they made themselves (`blob:`); in
 * development the developer tools too. All traffic with the service is the agent's, which is not asked here.
 */
export function isRequestAllowed(url: string, isPackaged: boolean): boolean {
  if (isOwnAddress(url) || url.startsWith(`blob:${APP_ORIGIN}/`)) return true;
  return !isPackaged && url.startsWith('devtools://devtools/');
}
