import { z } from 'zod';
import type { DesktopChoice, DesktopCommandArguments } from '../../shared/ipc/desktop.ts';
import { knownFields } from '../../shared/lib/known-fields.ts';
import type { NativeWords } from '../../shared/words/native-words.ts';
import type { Logger } from '../agent/index.ts';
import { createJsonFile } from './json-file.ts';
import type { LoginItem } from './login-item.ts';

/** What the file keeps; whether the app starts at sign-in the system itself knows. */
const keptSchema = z
  .object({
    /** Missing: not chosen yet. */
    closeToTray: z.boolean().exactOptional(),
    notifyFinished: z.boolean().default(false),
    /** A person has been shown once that the app goes on working when its window is closed. */
    wasToldOfTray: z.boolean().default(false),
    /** Windows are drawn with the graphics processor (graphics.ts reads it before Electron is ready). */
    isGpuUsed: z.boolean().default(true),
    /** Crashes of the graphics process since it was switched on. */
    gpuCrashes: z.int().min(0).default(0),
    /** What the page was last shown in; menus and dialogs begin in it. */
    language: z.string().max(35).default('en'),
  })
  .readonly();

type Kept = z.infer<typeof keptSchema>;

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
  /** Answers whether it is not used any more from the next start on. Rejects with the system's error. */
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
      logger.info('The choices of the desktop were changed', { ...get() });
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
        logger.warn('That the notice about the tray was shown could not be saved', { error }),
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
