import { access, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { autostartEntry } from './autostart-entry.ts';
import { HIDDEN_SWITCH } from './start-arguments.ts';
import { writeFileWhole } from './write-file-whole.ts';

/** What Electron knows about login items, as much as is used. */
interface LoginItems {
  getLoginItemSettings(options: { args: string[] }): {
    readonly openAtLogin: boolean;
    readonly wasOpenedAtLogin: boolean;
  };
  setLoginItemSettings(settings: { openAtLogin: boolean; args: string[] }): void;
}

interface Deps {
  readonly platform: NodeJS.Platform;
  readonly app: LoginItems;
  /** Where the desktop of a Linux account keeps its settings, absolute (`$XDG_CONFIG_HOME`). */
  readonly configHome: string;
  /** What is to be started on Linux, absolute: the AppImage, or the program itself. */
  readonly program: string;
  readonly name: string;
}

/** Whether the app starts when the account signs in. */
export interface LoginItem {
  isOn(): Promise<boolean>;
  /** Answers whether it is on now; false where the system has no such thing. Rejects with the system's error. */
  set(isOn: boolean): Promise<boolean>;
  /** Whether this start came from the sign-in: then no window is shown. macOS tells; elsewhere the switch does. */
  wasUsed(): boolean;
}

/** Makes it for the system. A start by it brings no window up. */
export function createLoginItem({ platform, app, configHome, program, name }: Deps): LoginItem {
  const args = [HIDDEN_SWITCH];
  if (platform === 'win32' || platform === 'darwin') {
    const isOn = (): boolean => app.getLoginItemSettings({ args }).openAtLogin;
    return {
      isOn: async () => isOn(),
      async set(openAtLogin) {
        app.setLoginItemSettings({ openAtLogin, args });
        return isOn();
      },
      wasUsed: () => platform === 'darwin' && app.getLoginItemSettings({ args }).wasOpenedAtLogin,
    };
  }
  const folder = join(configHome, 'autostart');
  const file = join(folder, `${name}.desktop`);
  const entry =
    platform === 'linux' ? autostartEntry({ name: 'VMS Export Agent', program, args }) : undefined;
  return {
    isOn: () =>
      access(file).then(
        () => entry !== undefined,
        () => false,
      ),
    async set(isOn) {
      if (entry === undefined) return false;
      if (!isOn) {
        await rm(file, { force: true });
        return false;
      }
      await mkdir(folder, { recursive: true });
      await writeFileWhole(file, entry);
      return true;
    },
    wasUsed: () => false,
  };
}
