import type { Failure } from '../../../shared/domain/failure.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import type { NativeDialogs } from '../desktop-ports.ts';
import type { ElectronApi } from '../electron-api.ts';

const AGAIN = 0;
const QUIT = 1;
const EXIT_FAULT = 1;

interface Deps {
  readonly app: Pick<ElectronApi['app'], 'relaunch' | 'exit'>;
  readonly dialogs: Pick<NativeDialogs, 'ask'>;
}

/** Says why the app cannot work, and ends it: without the agent there is nothing that its window could do. */
export async function tellStartFailure({ message, advice }: Failure, { app, dialogs }: Deps): Promise<void> {
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
