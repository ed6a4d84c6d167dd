import { access, constants, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { UpdateState } from '../../../shared/ipc/desktop.ts';
import type { Clock, Logger } from '../../agent/index.ts';
import { ownAppImage } from './app-image.ts';
import type { ElectronApi } from '../electron-api.ts';
import { openUpdater } from './open-updater.ts';
import type { QuitProtocol } from '../quitting/quit-app.ts';
import { updatePublicKey } from './update-key.ts';
import { decideUpdates, type UpdateFacts } from './update-rules.ts';
import { createUpdates, type Updates } from './updates.ts';

interface Deps extends Pick<UpdateFacts, 'isPackaged' | 'platform' | 'policy'> {
  readonly app: Pick<ElectronApi['app'], 'quit' | 'releaseSingleInstanceLock'>;
  readonly installedVersion: string;
  readonly quit: Pick<QuitProtocol, 'quit'>;
  readonly onState: (state: UpdateState) => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The updates of this copy, by what its installer left beside it and what the organisation says. Never rejects. */
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
    // Windows asks for the rights itself, an AppImage is a file of this account; deb and rpm want a password, and
    // macOS starts the app again
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

/** What the installer says about updates; portable copies have no such file. */
async function readBuilt(
  platform: NodeJS.Platform,
  appImage: string | undefined,
): Promise<string | undefined> {
  // On Linux it lies in every copy: of a deb or rpm a second file tells
  if (platform === 'linux' && appImage === undefined && (await readResource('package-type')) === undefined)
    return undefined;
  return readResource('app-update.yml');
}
