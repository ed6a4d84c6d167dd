import type { Clock, Logger } from '../../agent/index.ts';
import type { ElectronApi } from '../electron-api.ts';
import type { Failure } from '../../../shared/domain/failure.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import type { NativeDialogs } from '../window/native-dialogs.ts';

/** An app that ran so long before a fault may start by itself again: it will not do so over and over. Milliseconds. */
const STEADY_MS = 10 * 60_000;
const EXIT_FAULT = 1;
/** Answers to the question after a failed start. */
const AGAIN = 0;
const QUIT = 1;

interface Deps {
  readonly app: Pick<ElectronApi['app'], 'relaunch' | 'exit'>;
  readonly dialog: Pick<ElectronApi['dialog'], 'showErrorBox'>;
  readonly process: {
    on(event: 'uncaughtException' | 'unhandledRejection', listener: (error: unknown) => void): unknown;
  };
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly logger: Logger;
  /** Brings the log to the disk. */
  readonly flush: () => Promise<void>;
}

/**
 * Ends the app when the program itself is wrong: what it would do from there nobody knows, and the queue is safe on
 * the disk. Nobody may sit at this desk, so it starts again by itself, unless it just did.
 */
export function endOnFault({ app, dialog, process, clock, logger, flush }: Deps): void {
  const startedMs = clock.monotonic();
  let isEnding = false;

  async function end(error: unknown): Promise<void> {
    logger.error('The program ends because of a fault of its own', { error });
    try {
      await flush();
    } catch {
      // Ending is what is left
    }
    if (clock.monotonic() - startedMs >= STEADY_MS) app.relaunch();
    else dialog.showErrorBox('VMS Export Agent has to end', ADVICE);
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

const ADVICE =
  'The program has a fault. Nothing is lost: what is not sent yet goes on at the next start. If it happens again, the log has the reason; report it with its last lines.';

interface StartFailureDeps {
  readonly app: Pick<ElectronApi['app'], 'relaunch' | 'exit'>;
  readonly dialogs: Pick<NativeDialogs, 'ask'>;
}

/** Says why the app cannot work, and ends it: without the agent there is nothing that its window could do. */
export async function tellStartFailure(
  { message, advice }: Failure,
  { app, dialogs }: StartFailureDeps,
): Promise<void> {
  const answer = await dialogs.ask({
    kind: 'error',
    message: visibleName(message),
    detail: `${visibleName(advice)}\n\nNothing was changed or sent; the queue is as it was.`,
    buttons: ['Start again', 'Quit'],
    usual: AGAIN,
    cancel: QUIT,
  });
  if (answer === AGAIN) app.relaunch();
  app.exit(EXIT_FAULT);
}
