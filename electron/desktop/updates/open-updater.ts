import type { AppUpdater } from 'electron-updater';
import type { Logger } from '../../agent/index.ts';
import { placeAppImage, startAppImage } from './app-image.ts';
import type { ElectronApi } from '../electron-api.ts';
import { FeedStatusError } from './update-faults.ts';
import type { UpdateRules } from './update-rules.ts';
import type { Updater } from './updates.ts';

interface Deps {
  readonly app: Pick<ElectronApi['app'], 'quit' | 'releaseSingleInstanceLock'>;
  /** The AppImage that is to be replaced, absolute; undefined: an installer does it. */
  readonly appImage: string | undefined;
  readonly rules: UpdateRules & { readonly kind: 'on' };
  readonly platform: NodeJS.Platform;
  readonly logger: Logger;
}

/**
 * The updater of the system's kind (NSIS, Squirrel, AppImage, deb, rpm). It is loaded here and not before: its module
 * reaches for Electron as soon as it is touched. It decides nothing: what it loads is checked by updates.ts.
 */
export async function openUpdater({ app, appImage, rules, platform, logger }: Deps): Promise<Updater> {
  const { default: electronUpdater } = await import('electron-updater');
  const { autoUpdater } = electronUpdater;
  const quiet = (message: unknown): void => logger.debug('The updater says', { message });
  autoUpdater.logger = { debug: quiet, info: quiet, warn: quiet, error: quiet };
  const { feedUrl: url, channel } = rules;
  // A plain web server answers one range at a time
  autoUpdater.setFeedURL({ provider: 'generic', url, channel, useMultipleRangeRequest: false });
  autoUpdater.channel = channel;
  // By itself it sends a number by which the feed could tell the desks apart
  autoUpdater.requestHeaders = { 'x-user-staging-id': '0' };
  // Choosing a channel allows older versions
  autoUpdater.allowDowngrade = false;
  autoUpdater.allowPrerelease = false;
  autoUpdater.autoDownload = false;
  autoUpdater.autoInstallOnAppQuit = false;
  autoUpdater.disableWebInstaller = true;
  // What goes wrong is rejected too; an event without a listener would be thrown
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
      return answer.text();
    },
    async load(heard) {
      autoUpdater.on('download-progress', heard);
      try {
        const [file] = await autoUpdater.downloadUpdate();
        if (file === undefined) throw new Error('The updater loaded no file');
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
        // As what it was, when it could not be replaced
        if (comesBack) await startAppImage(appImage, app);
      }
      app.quit();
    },
  };
}

/** Rejects with what the installer's start came to; what comes later nobody hears, and the app ends all the same. */
async function runInstaller(autoUpdater: AppUpdater, comesBack: boolean): Promise<void> {
  const faults: Error[] = [];
  const keep = (error: Error): void => void faults.push(error);
  autoUpdater.on('error', keep);
  autoUpdater.quitAndInstall(true, comesBack);
  autoUpdater.off('error', keep);
  if (faults[0] !== undefined) throw faults[0];
}
