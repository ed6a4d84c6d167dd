import { createNet } from './net.ts';
import { app } from './electron.ts';
import { strict } from './strict.ts';

/** What packages ask of Electron that the app loads: electron-updater. */
type PackagesApi = Pick<typeof Electron, 'app' | 'net' | 'session'>;

const { net, session } = createNet();

/** The `electron` module of whatever lies in node_modules: less of some things than the app has, and more of others. */
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

// What `require` answers
export { electron as 'module.exports' };
