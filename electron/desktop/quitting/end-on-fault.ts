import { z } from 'zod';
import type { Clock, Logger } from '../../agent/index.ts';
import type { ElectronApi } from '../electron-api.ts';
import type { Failure } from '../../../shared/domain/failure.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import type { NativeDialogs } from '../window/native-dialogs.ts';
import { startAppImage } from '../updates/app-image.ts';
import type { Say } from '../../../shared/words/native-words.ts';

/** An app that ran so long before a fault begins to count anew, milliseconds. */
const STEADY_MS = 10 * 60_000;
/** Pause of a start after one, two, three faults in a row before the agent goes on, milliseconds. */
const PAUSES_MS = [5_000, 30_000, 120_000] as const;
const EXIT_FAULT = 1;
/** Longest reason of a fault that is shown, characters. */
const LONGEST_REASON = 300;
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
  /** The last line of the log, redacted: the fault in the words that may be shown. */
  readonly lastLine: () => string;
  /** Shows a box that waits for an answer; only where no agent runs beside it. */
  readonly showError: (title: string, text: string) => void;
  readonly say: Say;
  readonly logFile: string;
  readonly comeBack: ComeBack;
  /** Faults in a row before this start. */
  readonly faults: number;
}

/**
 * Ends the app when the program itself is wrong: what it would do from there nobody knows, and the queue is safe on
 * the disk. Nobody may sit at this desk, so it shows nothing that waits for an answer and starts again by itself, as
 * often in a row as there are pauses. The start after those runs no agent: it only says what happened (`keepsFailing`).
 */
export function endOnFault(deps: Deps): void {
  const { app, process, clock, logger, flush, comeBack, faults } = deps;
  const startedMs = clock.monotonic();
  let isEnding = false;

  async function end(error: unknown): Promise<void> {
    const inARow = clock.monotonic() - startedMs >= STEADY_MS ? 1 : faults + 1;
    // The start that only tells failed as well
    const isLast = inARow > PAUSES_MS.length + 1;
    logger.error('The app is ending because of an internal error', { error, inARow, startsAgain: !isLast });
    const reason = faultReason(deps.lastLine());
    try {
      await flush();
      if (isLast) tellLast(deps, inARow, reason);
      else await comeBack({ inARow, ...(reason !== undefined && { reason }) });
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

function tellLast({ showError, say, logFile }: Deps, inARow: number, reason: string | undefined): void {
  const { message, advice } = keepsFailing({ inARow, ...(reason !== undefined && { reason }) }, say, logFile);
  showError(say('app'), `${message}\n\n${advice}`);
}

const lineSchema = z.object({ error: z.object({ name: z.string().catch('Error'), message: z.string() }) });

/** What a line of the log says of a fault, in one line. */
function faultReason(line: string): string | undefined {
  try {
    const { name, message } = lineSchema.parse(JSON.parse(line)).error;
    return visibleName(`${name}: ${message}`).slice(0, LONGEST_REASON);
  } catch {
    // The line tells of something else
    return undefined;
  }
}

/** Why a start after this many faults in a row runs no agent; undefined: it runs one. */
export function stopsAfter(faults: Faults, say: Say, logFile: string): Failure | undefined {
  return faults.inARow > PAUSES_MS.length ? keepsFailing(faults, say, logFile) : undefined;
}

function keepsFailing({ inARow, reason }: Faults, say: Say, logFile: string): Failure {
  const values = { count: inARow, reason: reason ?? say('fault.noReason'), log: logFile };
  return {
    code: 'CALL_FAULT',
    message: say('fault.stopped'),
    advice: say('fault.stoppedText', values),
    retryable: true,
  };
}

/** Time that the agent waits at a start after so many faults in a row, milliseconds. */
export const pauseAfterFaults = (faults: number): number => PAUSES_MS[faults - 1] ?? 0;

interface StartFailureDeps {
  readonly app: Pick<ElectronApi['app'], 'exit'>;
  readonly dialogs: Pick<NativeDialogs, 'ask'>;
  readonly comeBack: ComeBack;
  readonly say: Say;
}

/** Says why the app cannot work, and ends it: without the agent there is nothing that its window could do. */
export async function tellStartFailure(
  { message, advice }: Failure,
  { app, dialogs, comeBack, say }: StartFailureDeps,
): Promise<void> {
  const answer = await dialogs.ask({
    kind: 'error',
    message: visibleName(message),
    detail: say('fault.unchanged', { advice: visibleName(advice) }),
    buttons: [say('fault.startAgain'), say('quit.quit')],
    usual: AGAIN,
    cancel: QUIT,
  });
  if (answer === AGAIN) await comeBack();
  app.exit(EXIT_FAULT);
}

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
export type ComeBack = (faults?: Faults) => Promise<void>;

/** Makes the one way in which the program starts again. Switches are kept; folders and links were taken already. */
export function createComeBack({ app, appImage, args, ownArguments }: RelaunchDeps): ComeBack {
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
