import { readFileSync } from 'node:fs';
import { access, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { DesktopChoice, DesktopCommandArguments } from '../../shared/ipc/desktop.ts';
import { knownFields } from '../../shared/lib/known-fields.ts';
import type { NativeWords } from '../../shared/words/native-words.ts';
import { type Logger, replaceFile } from '../agent/index.ts';
import { createJsonFile } from './json-file.ts';
import { HIDDEN_SWITCH } from './start-requests.ts';

/** What the file keeps; whether the app starts at sign-in the system itself knows. */
const keptSchema = z
  .object({
    /** Missing: not chosen yet. */
    closeToTray: z.boolean().exactOptional(),
    notifyFinished: z.boolean().default(false),
    /** A person has been shown once that the app goes on working when its window is closed. */
    wasToldOfTray: z.boolean().default(false),
    /** Windows are drawn with the graphics processor (mishaps.ts asks before Electron is ready). */
    isGpuUsed: z.boolean().default(true),
    /** Crashes of the graphics process since it was switched on. */
    gpuCrashes: z.int().min(0).default(0),
    /** What the page was last shown in; menus and dialogs begin in it. */
    language: z.string().max(35).default('en'),
  })
  .readonly();

type Kept = z.infer<typeof keptSchema>;

/** Name of the file, in the folder of the app's own files. */
export const CHOICE_FILE = 'desktop.json';

/** What has to be known before Electron is ready; the defaults where the file is missing or cannot be read. */
export function readChoicesNow(file: string): Pick<Kept, 'isGpuUsed' | 'language'> {
  try {
    return keptSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return keptSchema.parse({});
  }
}

/** Crashes of the graphics process after which it is switched off. */
const MOST_GPU_CRASHES = 2;

interface Deps {
  readonly file: string;
  readonly loginItem: LoginItem;
  /** An icon in the tray is seen: closing the window may hide it without asking. */
  readonly hasTray: boolean;
  readonly logger: Logger;
}

/** How a person wants the app to behave on this PC. */
export interface ChoiceStore {
  get(): DesktopChoice;
  /** Rejects with the system's error when it cannot be kept, and then nothing of it counts. */
  set(change: DesktopCommandArguments<'choice.set'>): Promise<DesktopChoice>;
  /** Nobody has chosen what closing the window does, and without a tray there is nothing to go by. */
  mustAskOfClosing(): boolean;
  /** True the first time only, also over starts. */
  tellOfTray(): Promise<boolean>;
  language(): string;
  /** Rejects with the system's error when it cannot be kept. */
  keepLanguage(language: string): Promise<void>;
  /** Returns whether it is not used any more from the next start on. Rejects with the system's error. */
  noteGpuCrash(): Promise<boolean>;
}

/** Reads the choices; a file that cannot be understood is kept aside, and the defaults count. */
export async function openChoiceStore({ file, loginItem, hasTray, logger }: Deps): Promise<ChoiceStore> {
  const stored = createJsonFile<Kept>({ file, schema: keptSchema, logger });
  let kept = (await stored.read()) ?? keptSchema.parse({});
  let startAtLogin = await loginItem.isOn();
  /** One crash is counted after the other: they come in bursts. */
  let noting: Promise<unknown> = Promise.resolve();

  async function keep(next: Kept): Promise<void> {
    await stored.write(next);
    kept = next;
  }

  const get = (): DesktopChoice => ({
    closeToTray: kept.closeToTray ?? hasTray,
    isGpuUsed: kept.isGpuUsed,
    notifyFinished: kept.notifyFinished,
    startAtLogin,
  });

  return {
    get,
    async set({ startAtLogin: isWanted, ...change }) {
      if (isWanted !== undefined) startAtLogin = await loginItem.set(isWanted);
      const known = knownFields<Partial<Kept>>(change);
      await keep({ ...kept, ...known, ...(change.isGpuUsed === true && { gpuCrashes: 0 }) });
      logger.info('The desktop settings were changed', { ...get() });
      return get();
    },
    language: () => kept.language,
    keepLanguage: (language) => keep({ ...kept, language }),
    mustAskOfClosing: () => !hasTray && kept.closeToTray === undefined,
    noteGpuCrash() {
      const noted = noting.then(async () => {
        const gpuCrashes = kept.gpuCrashes + 1;
        const isGpuUsed = kept.isGpuUsed && gpuCrashes < MOST_GPU_CRASHES;
        await keep({ ...kept, gpuCrashes, isGpuUsed });
        return !isGpuUsed;
      });
      noting = noted.catch(() => undefined);
      return noted;
    },
    async tellOfTray() {
      if (kept.wasToldOfTray) return false;
      // Shown twice is better than a window that cannot be closed
      await keep({ ...kept, wasToldOfTray: true }).catch((error: unknown) =>
        logger.warn('Could not save that the tray notice was shown', { error }),
      );
      return true;
    },
  };
}

/** What a page is shown in becomes the language of the native words, of the next start too. */
export function followLanguage(
  words: NativeWords,
  choice: Pick<ChoiceStore, 'keepLanguage'>,
  logger: Pick<Logger, 'warn'>,
): (language: string) => void {
  return (language) => {
    if (!words.speak(language)) return;
    choice
      .keepLanguage(language)
      .catch((error: unknown) => logger.warn('The language of the menus could not be saved', { error }));
  };
}

/** Others on this PC may read how the session of an account begins. */
const ENTRY_RIGHTS = 0o644;

/** What Electron knows about login items, as much as is used. */
interface LoginItems {
  getLoginItemSettings(options: { args: string[] }): {
    readonly openAtLogin: boolean;
    /** Windows: false where a person has switched it off in the system's settings. */
    readonly executableWillLaunchAtLogin: boolean;
    readonly wasOpenedAtLogin: boolean;
  };
  setLoginItemSettings(settings: { openAtLogin: boolean; args: string[] }): void;
}

interface LoginItemDeps {
  readonly platform: NodeJS.Platform;
  readonly app: LoginItems;
  /** Where the desktop of a Linux account keeps its settings, absolute (`$XDG_CONFIG_HOME`). */
  readonly configHome: string;
  /** What is to be started: the AppImage or the program itself, absolute, and the arguments that name its profile, which macOS does not take. */
  readonly command: readonly [program: string, ...args: string[]];
  readonly name: string;
}

/** Whether the app starts when the account signs in. */
export interface LoginItem {
  isOn(): Promise<boolean>;
  /** Returns whether it is on now; false where the system has no such thing. Rejects with the system's error. */
  set(isOn: boolean): Promise<boolean>;
  /** Whether this start came from the sign-in: then no window is shown. macOS tells; elsewhere the switch does. */
  wasUsed(): boolean;
}

/** Creates the login item for the system. The app it starts opens no window. */
export function createLoginItem({ platform, app, configHome, command, name }: LoginItemDeps): LoginItem {
  const [program, ...profile] = command;
  // Windows is given the arguments as one line, as they are
  const quoted = platform === 'win32' ? profile.map((word) => `"${word}"`) : profile;
  const args = [...quoted, HIDDEN_SWITCH];
  if (platform === 'win32' || platform === 'darwin') {
    const isOn = (): boolean => {
      const { openAtLogin, executableWillLaunchAtLogin } = app.getLoginItemSettings({ args });
      return openAtLogin && (platform !== 'win32' || executableWillLaunchAtLogin);
    };
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
