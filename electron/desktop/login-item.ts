import { access, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '../agent/index.ts';
import { HIDDEN_SWITCH } from './start-requests.ts';

/** Others on this PC may read how the session of an account begins. */
const ENTRY_RIGHTS = 0o644;

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
      await replaceFile(file, entry, { rights: ENTRY_RIGHTS });
      return true;
    },
    wasUsed: () => false,
  };
}

/** What the entry says beside the program. */
interface Entry {
  readonly name: string;
  /** Absolute path of the program. */
  readonly program: string;
  readonly args: readonly string[];
}

/**
 * The text of an autostart entry of a Linux desktop; undefined when the program's path cannot be written into one, since
 * a line end in it would begin another line of the entry.
 */
export function autostartEntry({ name, program, args }: Entry): string | undefined {
  const words = [program, ...args];
  // eslint-disable-next-line no-control-regex
  if (words.some((word) => /[\u0000-\u001f\u007f]/.test(word))) return undefined;
  return [
    '[Desktop Entry]',
    'Type=Application',
    `Name=${name}`,
    `Exec=${words.map(quote).join(' ')}`,
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n');
}

/** Quoted for the command line first, then for the file: both read backslashes, and the entry reads per cent signs. */
function quote(word: string): string {
  const forCommand = `"${word.replaceAll(/["`$\\]/g, '\\$&')}"`;
  return forCommand.replaceAll('\\', '\\\\').replaceAll('%', '%%');
}
