import { createNet } from './net.ts';
import { app } from './electron.ts';
import { strict } from './strict.ts';

/** The parts of Electron used by packages that the app loads: electron-updater. */
type PackagesApi = Pick<typeof Electron, 'app' | 'net' | 'session'>;

const { net, session } = createNet();

/**
 * The `electron` module for everything in node_modules: it has fewer members than the app's in some places and more in
 * others.
 */
const electron = strict<PackagesApi>('electron', {
  app: strict<Electron.App>('app', {
    isPackaged: app.isPackaged,
    getName: () => app.name,
    getVersion: () => app.getVersion(),
    getPath: (name) => app.getPath(name),
    whenReady: () => app.whenReady(),
  }),
  net,
  session,
});

// Returned by `require`
export { electron as 'module.exports' };
