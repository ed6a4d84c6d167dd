import type { Logger } from '../agent/index.ts';
import type { UpdateRules } from './update-rules.ts';
import type { Updater } from './updates.ts';

interface Parts {
  readonly rules: UpdateRules & { readonly kind: 'on' };
  readonly platform: NodeJS.Platform;
  readonly logger: Logger;
}

/**
 * The updater of the system's kind (NSIS, Squirrel, AppImage, deb, rpm). It is loaded here and not before: its module
 * reaches for Electron as soon as it is touched. It decides nothing: what it loads is checked by updates.ts.
 */
export async function openUpdater({ rules, platform, logger }: Parts): Promise<Updater> {
  const { default: electronUpdater } = await import('electron-updater');
  const { autoUpdater } = electronUpdater;
  const quiet = (message: unknown): void => logger.debug('The updater says', { message });
  autoUpdater.logger = { debug: quiet, info: quiet, warn: quiet, error: quiet };
  autoUpdater.setFeedURL({ provider: 'generic', url: rules.feedUrl, channel: rules.channel });
  autoUpdater.channel = rules.channel;
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
      const url = new URL(`update-${platform}.json`, rules.feedUrl);
      const answer = await autoUpdater.netSession.fetch(url.href, { redirect: 'error', cache: 'no-store' });
      if (!answer.ok) throw new Error(`The signed list was answered with ${answer.status}`);
      return answer.text();
    },
    async load() {
      const [file] = await autoUpdater.downloadUpdate();
      if (file === undefined) throw new Error('The updater loaded no file');
      return file;
    },
    install: (comesBack) => autoUpdater.quitAndInstall(true, comesBack),
  };
}
