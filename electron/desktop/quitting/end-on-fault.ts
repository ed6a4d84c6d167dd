import { z } from 'zod';
import type { Clock, Logger } from '../../agent/index.ts';
import type { ElectronApi } from '../electron-api.ts';
import type { Failure } from '../../../shared/domain/failure.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import type { NativeDialogs } from '../window/native-dialogs.ts';
import { startAppImage } from '../updates/app-image.ts';
import type { QuitProtocol } from './quit-app.ts';
import type { Say } from '../../../shared/words/native-words.ts';

/** An app that ran this long before a fault starts counting over, milliseconds. */
const STEADY_MS = 10 * 60_000;
/** Delay before the agent starts after one, two, three faults in a row, milliseconds. */
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
  /** Writes the log to disk. */
  readonly flush: () => Promise<void>;
  /** The last line of the log, redacted: describes the fault in words that may be shown. */
  readonly lastLine: () => string;
  /** Shows a message box that waits for an answer; only while no agent is running. */
  readonly showError: (title: string, text: string) => void;
  readonly say: Say;
  readonly logFile: string;
  readonly relaunch: Relaunch;
  /** Consecutive faults before this start. */
  readonly faults: number;
}

/**
 * Ends the app after an unexpected error: its state can no longer be trusted, and the queue is safe on disk. The desk
 * may be unattended, so nothing waits for an answer, and the app restarts automatically, as often in a row as there are
 * pauses. The start after those runs no agent: it only reports what happened (`keepsFailing`).
 */
export function endOnFault(deps: Deps): void {
  const { app, process, clock, logger, flush, relaunch, faults } = deps;
  const startedMs = clock.monotonic();
  let isEnding = false;

  async function end(error: unknown): Promise<void> {
    const inARow = clock.monotonic() - startedMs >= STEADY_MS ? 1 : faults + 1;
    // The start that only reports the fault failed as well
    const isLast = inARow > PAUSES_MS.length + 1;
    logger.error('The app is ending because of an internal error', { error, inARow, startsAgain: !isLast });
    const reason = faultReason(deps.lastLine());
    try {
      await flush();
      if (isLast) tellLast(deps, inARow, reason);
      else await relaunch({ inARow, ...(reason !== undefined && { reason }) });
    } catch {
      // All that is left is to exit
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

/** The fault that a log line describes, in one line; undefined if it describes none. */
function faultReason(line: string): string | undefined {
  try {
    const { name, message } = lineSchema.parse(JSON.parse(line)).error;
    return visibleName(`${name}: ${message}`).slice(0, LONGEST_REASON);
  } catch {
    // The line is about something else
    return undefined;
  }
}

/** Why a start after this many faults in a row runs no agent; undefined if it runs one. */
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

/** How long the agent waits at a start after this many faults in a row, milliseconds. */
export const pauseAfterFaults = (faults: number): number => PAUSES_MS[faults - 1] ?? 0;

interface StartFailureDeps {
  readonly app: Pick<ElectronApi['app'], 'exit'>;
  readonly dialogs: Pick<NativeDialogs, 'ask'>;
  readonly relaunch: Relaunch;
  readonly quit: Pick<QuitProtocol, 'isEnding'>;
  readonly say: Say;
}

/**
 * Shows why the app cannot start, offers a restart, and ends the app: without the agent, its window is useless. Does
 * nothing while the app is quitting.
 */
export async function reportStartFailure(
  { message, advice }: Failure,
  { app, dialogs, relaunch, quit, say }: StartFailureDeps,
): Promise<void> {
  if (quit.isEnding()) return;
  const answer = await dialogs.ask({
    kind: 'error',
    message: visibleName(message),
    detail: say('fault.unchanged', { advice: visibleName(advice) }),
    buttons: [say('fault.startAgain'), say('quit.quit')],
    usual: AGAIN,
    cancel: QUIT,
  });
  if (answer === AGAIN) await relaunch();
  app.exit(EXIT_FAULT);
}

/** Tells a start how many faults in a row came right before it. */
const AFTER_FAULT = '--after-fault=';
/** Why the last of them happened, URL-encoded. */
const REASON = '--fault-reason=';

/** Consecutive faults before a start. */
export interface Faults {
  readonly inARow: number;
  /** Reason of the last one, in words that are safe to show; missing if unknown. */
  readonly reason?: string;
}

interface RelaunchDeps {
  readonly app: Pick<ElectronApi['app'], 'relaunch' | 'releaseSingleInstanceLock'>;
  /**
   * The AppImage that this program was started from. Electron's own relaunch would wait inside it while it is
   * unmounted.
   */
  readonly appImage: string | undefined;
  /** Arguments of this start after the program's name. */
  readonly args: readonly string[];
  /** How many of them are the program's own: in development the app's path. */
  readonly ownArguments: number;
}

/** Restarts the program when this process has ended; the caller ends it. Rejects with the system's error. */
export type Relaunch = (faults?: Faults) => Promise<void>;

/** Creates the only way to restart the program. Switches are kept; folders and links were handled already. */
export function createRelaunch({ app, appImage, args, ownArguments }: RelaunchDeps): Relaunch {
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

/** How many starts in a row right before this one ended in a fault, and the last fault. */
export function faultsBefore(args: readonly string[]): Faults {
  const count = args.find((each) => each.startsWith(AFTER_FAULT))?.slice(AFTER_FAULT.length) ?? '';
  const inARow = /^\d$/.test(count) ? Number(count) : 0;
  const reason = args.find((each) => each.startsWith(REASON))?.slice(REASON.length);
  if (reason === undefined) return { inARow };
  try {
    return { inARow, reason: decodeURIComponent(reason) };
  } catch {
    // Not written by this program
    return { inARow };
  }
}
