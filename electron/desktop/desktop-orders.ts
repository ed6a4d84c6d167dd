import { isAbsolute } from 'node:path';
import type { Failure } from '../../shared/domain/failure.ts';
import type {
  DesktopChoice,
  DesktopOrderArguments,
  HelpPage,
  MenuCommand,
  UpdateState,
} from '../../shared/ipc/desktop.ts';
import { err, ok, type Result } from '../../shared/lib/result.ts';
import type { Agent, Logger } from '../agent/index.ts';
import type { DesktopOrders, NativeDialogs } from './desktop-ports.ts';
import { saveText } from './save-text.ts';

/** What the orders of a page are carried out with. */
export interface OrderDeps {
  readonly agent: Pick<Agent, 'locateClip'>;
  readonly dialogs: Pick<NativeDialogs, 'chooseFolder' | 'chooseSavePlace'>;
  readonly logger: Logger;
  /** Shows a file in the file manager; never opens it. */
  readonly showInFolder: (path: string) => void;
  /** Rejects when the system has no browser. */
  readonly openHelp: (page: HelpPage) => Promise<void>;
  readonly choice: {
    get(): DesktopChoice;
    /** Rejects with the system's error when it cannot be kept. */
    set(change: DesktopOrderArguments<'choice.set'>): Promise<DesktopChoice>;
  };
  readonly setMenu: (commands: readonly MenuCommand[]) => void;
  readonly setUnsaved: (hasChanges: boolean) => void;
  readonly updates: {
    state(): UpdateState;
    check(): Promise<UpdateState>;
    install(): Promise<Result<void, Failure>>;
  };
}

/** The handlers of shared/ipc/desktop.ts. What comes in was checked by its schema; what only the system knows is not told. */
export function createDesktopOrders(deps: OrderDeps): DesktopOrders {
  const { agent, dialogs, logger, choice, updates } = deps;
  return {
    async revealClip({ clipId }) {
      const located = await agent.locateClip(clipId);
      if (!located.ok) return located;
      deps.showInFolder(located.value);
      return done;
    },
    async chooseFolder() {
      const path = await dialogs.chooseFolder();
      return ok(path !== undefined && isAbsolute(path) ? { path } : {});
    },
    saveText: (input) => saveText({ dialogs, logger }, input),
    openHelp: ({ page }) =>
      deps.openHelp(page).then(
        () => done,
        (error: unknown) => {
          logger.warn('The help could not be opened', { page, error });
          return err(noBrowser);
        },
      ),
    'choice.get': async () => ok(choice.get()),
    'choice.set': (change) =>
      choice.set(change).then(ok, (error: unknown) => {
        logger.warn('The choices of the desktop could not be kept', { error });
        return err(choiceNotKept);
      }),
    async 'menu.set'({ commands }) {
      deps.setMenu(commands);
      return done;
    },
    async 'unsaved.set'({ hasChanges }) {
      deps.setUnsaved(hasChanges);
      return done;
    },
    'update.state': async () => ok(updates.state()),
    'update.check': async () => ok(await updates.check()),
    async 'update.install'() {
      const installing = await updates.install();
      return installing.ok ? done : installing;
    },
  };
}

const done = ok({});

const noBrowser: Failure = {
  code: 'CALL_FAULT',
  message: 'The system opened no browser for the help.',
  advice: 'Set a default browser in the settings of the system, and try again.',
  retryable: true,
};

const choiceNotKept: Failure = {
  code: 'CONFIG_UNREADABLE',
  message: 'The choice could not be kept on this PC.',
  advice:
    'Check that the disk is not full and that this account may write to its own folders, and try again.',
  retryable: true,
};
