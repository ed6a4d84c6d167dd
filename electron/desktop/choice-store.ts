import { z } from 'zod';
import type { DesktopChoice, DesktopCommandArguments } from '../../shared/ipc/desktop.ts';
import type { Logger } from '../agent/index.ts';
import { createJsonFile } from './json-file.ts';
import type { LoginItem } from './login-item.ts';

/** What the file keeps; whether the app starts at sign-in the system itself knows. */
const keptSchema = z
  .object({
    closeToTray: z.boolean().default(true),
    notifyFinished: z.boolean().default(false),
    /** A person has been shown once that the app goes on working when its window is closed. */
    wasToldOfTray: z.boolean().default(false),
  })
  .readonly();

type Kept = z.infer<typeof keptSchema>;

interface Deps {
  readonly file: string;
  readonly loginItem: LoginItem;
  readonly logger: Logger;
}

/** How a person wants the app to behave on this PC. */
export interface ChoiceStore {
  get(): DesktopChoice;
  /** Rejects with the system's error when it cannot be kept, and then nothing of it counts. */
  set(change: DesktopCommandArguments<'choice.set'>): Promise<DesktopChoice>;
  /** True the first time only, also over starts. */
  tellOfTray(): Promise<boolean>;
}

/** Reads the choices; a file that cannot be understood is kept aside, and the defaults count. */
export async function openChoiceStore({ file, loginItem, logger }: Deps): Promise<ChoiceStore> {
  const stored = createJsonFile<Kept>({ file, schema: keptSchema, logger });
  let kept = (await stored.read()) ?? keptSchema.parse({});
  let startAtLogin = await loginItem.isOn();

  async function keep(next: Kept): Promise<void> {
    await stored.write(next);
    kept = next;
  }

  const get = (): DesktopChoice => ({
    closeToTray: kept.closeToTray,
    notifyFinished: kept.notifyFinished,
    startAtLogin,
  });

  return {
    get,
    async set({ closeToTray = kept.closeToTray, notifyFinished = kept.notifyFinished, ...change }) {
      if (change.startAtLogin !== undefined) startAtLogin = await loginItem.set(change.startAtLogin);
      await keep({ ...kept, closeToTray, notifyFinished });
      logger.info('The choices of the desktop were changed', { ...get() });
      return get();
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
