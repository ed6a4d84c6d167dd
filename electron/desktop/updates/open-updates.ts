import { access, constants, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { UpdateState } from '../../../shared/ipc/desktop.ts';
import type { Clock, Logger } from '../../agent/index.ts';
import { ownAppImage, placeAppImage, startAppImage } from './app-image.ts';
import type { ElectronApi } from '../electron-api.ts';
import type { QuitProtocol } from '../quitting/quit-app.ts';
import { updatePublicKey } from './update-key.ts';
import {
  decideUpdates,
  type UpdateFacts,
  FeedStatusError,
  readList,
  type UpdateRules,
} from './verify-update.ts';
import { createUpdates, type Updates, type Updater } from './updates.ts';
import type { AppUpdater } from 'electron-updater';

interface Deps extends Pick<UpdateFacts, 'isPackaged' | 'platform' | 'policy'> {
  readonly app: Pick<ElectronApi['app'], 'quit' | 'releaseSingleInstanceLock'>;
  readonly installedVersion: string;
  readonly deskId: () => Promise<string>;
  readonly quit: Pick<QuitProtocol, 'quit'>;
  readonly onState: (state: UpdateState) => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Creates the updates of this copy, according to its installer's files and the organisation's policy. Never rejects.
 */
export async function openUpdates({ app, isPackaged, platform, policy, ...deps }: Deps): Promise<Updates> {
  const appImage = ownAppImage(process);
  const built = isPackaged ? await readBuilt(platform, appImage) : undefined;
  const canReplace = appImage === undefined || (await mayWriteBeside(appImage));
  const rules = decideUpdates({
    isPackaged,
    platform,
    policy,
    built,
    canReplace,
    publicKey: updatePublicKey,
  });
  return createUpdates({
    ...deps,
    rules,
    // Windows asks for permission itself, and an AppImage is a file of this account; deb and rpm need a password, and
    // macOS restarts the app
    installsAtQuit: platform === 'win32' || appImage !== undefined,
    openUpdater: (on) => openUpdater({ app, appImage, rules: on, platform, logger: deps.logger }),
  });
}

const mayWriteBeside = (file: string): Promise<boolean> =>
  access(dirname(file), constants.W_OK).then(
    () => true,
    () => false,
  );

const readResource = (name: string): Promise<string | undefined> =>
  readFile(join(process.resourcesPath, name), 'utf8').catch(() => undefined);

/** The installer's file about updates; portable copies have none. */
async function readBuilt(
  platform: NodeJS.Platform,
  appImage: string | undefined,
): Promise<string | undefined> {
  // On Linux every copy has it; a second file marks a deb or rpm
  if (platform === 'linux' && appImage === undefined && (await readResource('package-type')) === undefined)
    return undefined;
  return readResource('app-update.yml');
}

interface UpdaterDeps {
  readonly app: Pick<ElectronApi['app'], 'quit' | 'releaseSingleInstanceLock'>;
  /** The AppImage to replace, absolute; undefined: an installer replaces the program. */
  readonly appImage: string | undefined;
  readonly rules: UpdateRules & { readonly kind: 'on' };
  readonly platform: NodeJS.Platform;
  readonly logger: Logger;
}

/**
 * The updater for this system (NSIS, Squirrel, AppImage, deb, rpm). Loaded here and not earlier: its module uses
 * Electron as soon as it is touched. It decides nothing: updates.ts checks what it downloads.
 */
export async function openUpdater({ app, appImage, rules, platform, logger }: UpdaterDeps): Promise<Updater> {
  const { default: electronUpdater } = await import('electron-updater');
  const { autoUpdater } = electronUpdater;
  const quiet = (message: unknown): void => logger.debug('The updater says', { message });
  autoUpdater.logger = { debug: quiet, info: quiet, warn: quiet, error: quiet };
  const { feedUrl: url, channel } = rules;
  // A plain web server answers one range at a time
  autoUpdater.setFeedURL({ provider: 'generic', url, channel, useMultipleRangeRequest: false });
  autoUpdater.channel = channel;
  // By default it sends a number by which the feed could tell desks apart
  autoUpdater.requestHeaders = { 'x-user-staging-id': '0' };
  // Setting a channel allows downgrades
  autoUpdater.allowDowngrade = false;
  autoUpdater.allowPrerelease = false;
  autoUpdater.autoDownload = false;
  autoUpdater.autoInstallOnAppQuit = false;
  autoUpdater.disableWebInstaller = true;
  // Errors reject as well; an `error` event without a listener would throw
  autoUpdater.on('error', () => undefined);
  return {
    async look() {
      const found = await autoUpdater.checkForUpdates();
      return found?.isUpdateAvailable === true ? found.updateInfo.version : undefined;
    },
    async manifest() {
      const name = channel === 'beta' ? `update-beta-${platform}.json` : `update-${platform}.json`;
      const list = new URL(name, url);
      const answer = await autoUpdater.netSession.fetch(list.href, { redirect: 'error', cache: 'no-store' });
      if (!answer.ok) throw new FeedStatusError(answer.status);
      return readList(answer.body);
    },
    async load(heard) {
      autoUpdater.on('download-progress', heard);
      try {
        const [file] = await autoUpdater.downloadUpdate();
        if (file === undefined) throw new Error('The updater downloaded no file');
        return file;
      } finally {
        autoUpdater.off('download-progress', heard);
      }
    },
    giveUp: () => autoUpdater.netSession.closeAllConnections(),
    async install({ file, release }, comesBack) {
      if (appImage === undefined) return runInstaller(autoUpdater, comesBack);
      try {
        await placeAppImage(file, release, appImage);
      } finally {
        // Restarts the old program if it could not be replaced
        if (comesBack) await startAppImage(appImage, app);
      }
      app.quit();
    },
  };
}

/** Rejects if the installer fails to start; nothing reports later errors, and the app ends anyway. */
async function runInstaller(autoUpdater: AppUpdater, comesBack: boolean): Promise<void> {
  const faults: Error[] = [];
  const keep = (error: Error): void => void faults.push(error);
  autoUpdater.on('error', keep);
  autoUpdater.quitAndInstall(true, comesBack);
  autoUpdater.off('error', keep);
  if (faults[0] !== undefined) throw faults[0];
}
