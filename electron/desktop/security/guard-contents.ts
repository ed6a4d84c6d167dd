import type { WebContents } from 'electron/main';
import type { Logger } from '../../agent/index.ts';
import type { ElectronApi } from '../electron-api.ts';
import { isNavigationAllowed } from './navigation-policy.ts';

/** What is guarded of the contents of a window. */
export type GuardedContents = Pick<WebContents, 'on' | 'setWindowOpenHandler'>;

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
    logger.warn('A page was kept from going elsewhere', { what });
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
    logger.warn('A page was kept from going elsewhere', { what: 'new window' });
    return { action: 'deny' };
  });
}
