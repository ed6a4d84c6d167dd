import type { ElectronApi } from '../electron-api.ts';
import { startAppImage } from '../updates/app-image.ts';

/** Tells a start that it follows a fault, and how many came right before. */
const AFTER_FAULT = '--after-fault=';
/** Why the last of them ended, encoded as in an address. */
const REASON = '--fault-reason=';

/** Faults in a row that a start follows. */
export interface Faults {
  readonly inARow: number;
  /** The last one, in words that are safe to show; missing: not known. */
  readonly reason?: string;
}

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
export type ComeBack = (faults?: Faults) => Promise<void>;

/** Makes the one way in which the program starts again. Switches are kept; folders and links were taken already. */
export function createComeBack({ app, appImage, args, ownArguments }: Deps): ComeBack {
  return async (faults) => {
    const switches = args
      .slice(ownArguments)
      .filter((each) => each.startsWith('-') && !each.startsWith(AFTER_FAULT) && !each.startsWith(REASON));
    const after = faults === undefined ? [] : [`${AFTER_FAULT}${faults.inARow}`];
    if (faults?.reason !== undefined) after.push(`${REASON}${encodeURIComponent(faults.reason)}`);
    const next = [...args.slice(0, ownArguments), ...switches, ...after];
    if (appImage === undefined) app.relaunch({ args: next });
    else await startAppImage(appImage, app, next);
  };
}

/** How many starts in a row ended by a fault right before this one, and the last fault. */
export function faultsBefore(args: readonly string[]): Faults {
  const told = args.find((each) => each.startsWith(AFTER_FAULT))?.slice(AFTER_FAULT.length) ?? '';
  const inARow = /^\d$/.test(told) ? Number(told) : 0;
  const reason = args.find((each) => each.startsWith(REASON))?.slice(REASON.length);
  if (reason === undefined) return { inARow };
  try {
    return { inARow, reason: decodeURIComponent(reason) };
  } catch {
    // Whoever wrote it was not this program
    return { inARow };
  }
}
