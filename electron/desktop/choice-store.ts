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

/** Contents of the file. Whether the app starts at sign-in is not in it: the system keeps that. */
const keptSchema = z
  .object({
    /** Missing: not chosen yet. */
    closeToTray: z.boolean().exactOptional(),
    notifyFinished: z.boolean().default(false),
    /** Whether the one-time notice that the app keeps running when its window is closed has been shown. */
    wasToldOfTray: z.boolean().default(false),
    /** Whether windows are drawn with the graphics processor (read before Electron is ready: process-faults.ts). */
    isGpuUsed: z.boolean().default(true),
    /** Crashes of the graphics process since it was switched on. */
    gpuCrashes: z.int().min(0).default(0),
    /** Language that the page was last shown in; menus and dialogs start in it. */
    language: z.string().max(35).default('en'),
  })
  .readonly();

type Kept = z.infer<typeof keptSchema>;

/** Name of the file, in the folder of the app's own files. */
export const CHOICE_FILE = 'desktop.json';

/** Reads the choices needed before Electron is ready; the defaults if the file is missing or cannot be read. */
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
  /** The tray icon is visible, so closing the window may hide it without asking. */
  readonly hasTray: boolean;
  readonly logger: Logger;
}

/** How a person wants the app to behave on this PC. */
export interface ChoiceStore {
  get(): DesktopChoice;
  /**
   * Rejects with the system's error when the change cannot be saved; all choices then stay as they were.
   */
  set(change: DesktopCommandArguments<'choice.set'>): Promise<DesktopChoice>;
  /** Whether to ask what closing the window should do: nobody has chosen yet, and there is no tray to hide it in. */
  mustAskOfClosing(): boolean;
  /** Returns true the first time only, across restarts too. */
  tellOfTray(): Promise<boolean>;
  language(): string;
  /** Rejects with the system's error when it cannot be saved. */
  keepLanguage(language: string): Promise<void>;
  /** Returns whether the graphics processor is off from the next start on. Rejects with the system's error. */
  noteGpuCrash(): Promise<boolean>;
}

/** Reads the choices. An invalid file is set aside and the defaults are used. */
export async function openChoiceStore({ file, loginItem, hasTray, logger }: Deps): Promise<ChoiceStore> {
  const stored = createJsonFile<Kept>({ file, schema: keptSchema, logger });
  let kept = (await stored.read()) ?? keptSchema.parse({});
  let startAtLogin = await loginItem.isOn();
  /** Crashes are counted one at a time, because they come in bursts. */
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
      const before = startAtLogin;
      if (isWanted !== undefined) startAtLogin = await loginItem.set(isWanted);
      const known = knownFields<Partial<Kept>>(change);
      try {
        await keep({ ...kept, ...known, ...(change.isGpuUsed === true && { gpuCrashes: 0 }) });
      } catch (error) {
        if (isWanted !== undefined) startAtLogin = await loginItem.set(before);
        throw error;
      }
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
      // Better to show the notice twice than to have a window that cannot be closed
      await keep({ ...kept, wasToldOfTray: true }).catch((error: unknown) =>
        logger.warn('Could not save that the tray notice was shown', { error }),
      );
      return true;
    },
  };
}

/** Returns a listener that applies the page's language to the native words and saves it for the next start. */
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

/** Mode of the autostart entry: other accounts on this PC may read it. */
const ENTRY_RIGHTS = 0o644;

/** The part of Electron's login item API that is used. */
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
  /**
   * The program to start (the AppImage or the program itself, absolute) and the arguments that name its profile, which
   * macOS does not accept.
   */
  readonly command: readonly [program: string, ...args: string[]];
  readonly name: string;
}

/** Whether the app starts when the account signs in. */
export interface LoginItem {
  isOn(): Promise<boolean>;
  /** Returns whether it is on now; false where the system does not support it. Rejects with the system's error. */
  set(isOn: boolean): Promise<boolean>;
  /**
   * Whether this start was caused by the sign-in, so that no window is shown. Known on macOS; elsewhere the switch says
   * so.
   */
  wasUsed(): boolean;
}

/** Creates the login item for the system. The app it starts opens no window. */
export function createLoginItem({ platform, app, configHome, command, name }: LoginItemDeps): LoginItem {
  const [program, ...profile] = command;
  // Windows gets the arguments as one line, unchanged, so they are quoted here
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

/** Fields of the autostart entry. */
interface Entry {
  readonly name: string;
  /** Absolute path of the program. */
  readonly program: string;
  readonly args: readonly string[];
}

/**
 * The text of a Linux autostart entry; undefined when the program's path or an argument has a control character: a line
 * break would start another line of the entry.
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

/**
 * Quotes for the command line first, then for the file: both interpret backslashes, and the entry also percent signs.
 */
function quote(word: string): string {
  const forCommand = `"${word.replaceAll(/["`$\\]/g, '\\$&')}"`;
  return forCommand.replaceAll('\\', '\\\\').replaceAll('%', '%%');
}
