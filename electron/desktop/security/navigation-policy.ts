import { isOwnAddress } from './app-scheme.ts';

/** Where a frame of a window is asked to go. */
export interface Navigation {
  readonly url: string;
  readonly isMainFrame: boolean;
}

/** Whether a frame may go there: the window's own frame, to the app's own pages. There are no other frames. */
export function isNavigationAllowed({ url, isMainFrame }: Navigation): boolean {
  return isMainFrame && isOwnAddress(url);
}
