import type { ElectronApi } from '../electron-api.ts';
import { startAppImage } from '../updates/app-image.ts';

/** Tells a start that it follows a fault, and how many came right before. */
const AFTER_FAULT = '--after-fault=';

interface Deps {
  readonly app: Pick<ElectronApi['app'], 'relaunch' | 'releaseSingleInstanceLock'>;
  /** The AppImage that this program was started from; Electron's own relaunch would wait in it while it goes away. */
  readonly appImage: string | undefined;
  /** Arguments of this start after the program's name. */
  readonly args: readonly string[];
  /** How many of them are the program's own: in development the app's path. */
  readonly ownArguments: number;
}

/** Starts the program again when this one has ended; the caller ends it. Rejects with the system's error. */
export type ComeBack = (faults?: number) => Promise<void>;

/** Makes the one way in which the program starts again. Switches are kept; folders and links were taken already. */
export function createComeBack({ app, appImage, args, ownArguments }: Deps): ComeBack {
  return async (faults = 0) => {
    const switches = args
      .slice(ownArguments)
      .filter((each) => each.startsWith('-') && !each.startsWith(AFTER_FAULT));
    const after = faults === 0 ? [] : [`${AFTER_FAULT}${faults}`];
    const next = [...args.slice(0, ownArguments), ...switches, ...after];
    if (appImage === undefined) app.relaunch({ args: next });
    else await startAppImage(appImage, app, next);
  };
}

/** How many starts in a row ended by a fault right before this one. */
export function faultsBefore(args: readonly string[]): number {
  const told = args.find((each) => each.startsWith(AFTER_FAULT))?.slice(AFTER_FAULT.length) ?? '';
  return /^\d$/.test(told) ? Number(told) : 0;
}
