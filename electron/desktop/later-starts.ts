import { stat } from 'node:fs/promises';
import type { Logger } from '../agent/index.ts';
import { LINK_SCHEME, parseDeepLink } from './deep-link.ts';
import type { MainWindow } from './desktop-ports.ts';
import { readStartArguments, type StartWish } from './start-arguments.ts';

/** What Electron tells of other starts and of links, as much as is used. */
export interface LaterStartSource {
  on(
    event: 'second-instance',
    listener: (event: unknown, argv: string[], workingDir: string) => void,
  ): unknown;
  on(event: 'open-url', listener: (event: { preventDefault(): void }, url: string) => void): unknown;
  on(event: 'activate', listener: () => void): unknown;
  setAsDefaultProtocolClient(protocol: string): boolean;
}

interface Deps {
  readonly app: LaterStartSource;
  readonly window: Pick<MainWindow, 'bringToFront' | 'tell'>;
  /** Arguments before the person's own: the program, in development the app's path too. */
  readonly ownArguments: number;
  /** Links are registered for an installed app only. */
  readonly isPackaged: boolean;
  readonly logger: Logger;
}

/** Takes what later starts and links want to the one window; `take` does the same with the wish of this start. */
export function followLaterStarts(deps: Deps): { readonly take: (wish: StartWish) => Promise<void> } {
  const { app, window, ownArguments, isPackaged, logger } = deps;

  async function take({ isHidden, folders, incidentId }: StartWish): Promise<void> {
    if (!isHidden) window.bringToFront();
    const paths = await onlyFolders(folders);
    if (paths.length < folders.length)
      logger.info('Of what a start named not everything is a folder', {
        named: folders.length,
        taken: paths.length,
      });
    if (paths.length > 0) window.tell({ kind: 'addFolders', paths });
    if (incidentId !== undefined) window.tell({ kind: 'showIncident', incidentId });
  }

  app.on('second-instance', (_, argv, workingDir) => {
    // Chromium puts its own switches among them, so the position says nothing but where they begin
    void take(readStartArguments(argv.slice(ownArguments), workingDir));
  });
  app.on('open-url', (event, url) => {
    event.preventDefault();
    const link = parseDeepLink(url);
    if (link === undefined) logger.info('A link that the app does not know was not followed');
    else void take({ isHidden: false, folders: [], ...link });
  });
  app.on('activate', () => window.bringToFront());
  if (isPackaged && !app.setAsDefaultProtocolClient(LINK_SCHEME))
    logger.warn('The system did not take the app for its links', { scheme: LINK_SCHEME });
  return { take };
}

async function onlyFolders(paths: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(
    paths.map((path) =>
      stat(path).then(
        (stats) => stats.isDirectory(),
        () => false,
      ),
    ),
  );
  return paths.filter((_, index) => found[index] === true);
}
