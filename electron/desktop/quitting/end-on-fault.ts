import type { Clock, Logger } from '../../agent/index.ts';
import type { ElectronApi } from '../electron-api.ts';
import type { Failure } from '../../../shared/domain/failure.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import type { NativeDialogs } from '../window/native-dialogs.ts';
import { startAppImage } from '../updates/app-image.ts';

/** An app that ran so long before a fault begins to count anew, milliseconds. */
const STEADY_MS = 10 * 60_000;
/** Pause of a start after one, two, three faults in a row before the agent goes on, milliseconds. */
const PAUSES_MS = [5_000, 30_000, 120_000] as const;
const EXIT_FAULT = 1;
/** Answers to the question after a failed start. */
const AGAIN = 0;
const QUIT = 1;

interface Deps {
  readonly app: Pick<ElectronApi['app'], 'exit'>;
  readonly process: {
    on(event: 'uncaughtException' | 'unhandledRejection', listener: (error: unknown) => void): unknown;
  };
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly logger: Logger;
  /** Brings the log to the disk. */
  readonly flush: () => Promise<void>;
  readonly comeBack: ComeBack;
  /** Faults in a row before this start. */
  readonly faults: number;
}

/**
 * Ends the app when the program itself is wrong: what it would do from there nobody knows, and the queue is safe on
 * the disk. Nobody may sit at this desk, so it shows nothing that waits for an answer and starts again by itself, at most
 * as often in a row as there are pauses.
 */
export function endOnFault({ app, process, clock, logger, flush, comeBack, faults }: Deps): void {
  const startedMs = clock.monotonic();
  let isEnding = false;

  async function end(error: unknown): Promise<void> {
    const inARow = clock.monotonic() - startedMs >= STEADY_MS ? 1 : faults + 1;
    const isLast = inARow > PAUSES_MS.length;
    logger.error('The program ends because of a fault of its own', { error, inARow, startsAgain: !isLast });
    try {
      await flush();
      if (!isLast) await comeBack(inARow);
    } catch {
      // Ending is what is left
    }
    app.exit(EXIT_FAULT);
  }

  const onFault = (error: unknown): void => {
    if (isEnding) return;
    isEnding = true;
    void end(error);
  };
  process.on('uncaughtException', onFault);
  process.on('unhandledRejection', onFault);
}

/** Time that the agent waits at a start after so many faults in a row, milliseconds. */
export const pauseAfterFaults = (faults: number): number => PAUSES_MS[faults - 1] ?? 0;

interface StartFailureDeps {
  readonly app: Pick<ElectronApi['app'], 'exit'>;
  readonly dialogs: Pick<NativeDialogs, 'ask'>;
  readonly comeBack: ComeBack;
}

/** Says why the app cannot work, and ends it: without the agent there is nothing that its window could do. */
export async function tellStartFailure(
  { message, advice }: Failure,
  { app, dialogs, comeBack }: StartFailureDeps,
): Promise<void> {
  const answer = await dialogs.ask({
    kind: 'error',
    message: visibleName(message),
    detail: `${visibleName(advice)}\n\nNothing was changed or sent; the queue is as it was.`,
    buttons: ['Start again', 'Quit'],
    usual: AGAIN,
    cancel: QUIT,
  });
  if (answer === AGAIN) await comeBack();
  app.exit(EXIT_FAULT);
}

/** Tells a start that it follows a fault, and how many came right before. */
const AFTER_FAULT = '--after-fault=';

interface RelaunchDeps {
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
export function createComeBack({ app, appImage, args, ownArguments }: RelaunchDeps): ComeBack {
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
