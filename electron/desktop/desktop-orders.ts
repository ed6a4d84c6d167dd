import { isAbsolute } from 'node:path';
import type { Failure } from '../../shared/domain/failure.ts';
import type {
  DesktopChoice,
  DesktopOrderArguments,
  DesktopOrderName,
  DesktopOrderOutput,
  HelpPage,
  MenuCommand,
  UpdateState,
} from '../../shared/ipc/desktop.ts';
import { err, ok, type Result } from '../../shared/lib/result.ts';
import type { Agent, Logger } from '../agent/index.ts';
import type { NativeDialogs } from './window/native-dialogs.ts';
import { saveText } from './save-text.ts';
import type { z } from 'zod';
import { desktopOrders } from '../../shared/ipc/desktop.ts';
import { requestSchema, type CallReply } from '../../shared/ipc/envelope.ts';

/** Answers one order whose input was checked. Rejects only for bugs. */
export type DesktopOrder<Name extends DesktopOrderName> = (
  input: DesktopOrderArguments<Name>,
) => Promise<Result<DesktopOrderOutput<Name>, Failure>>;

/** A handler for each order of shared/ipc/desktop.ts: leaving one out is a type error. */
export type DesktopOrders = { readonly [Name in DesktopOrderName]: DesktopOrder<Name> };

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

/** The schemas of each order, in a form that keeps its types when the name is a variable. */
const schemas: {
  readonly [Name in DesktopOrderName]: {
    readonly input: z.ZodType<DesktopOrderArguments<Name>>;
    readonly output: z.ZodType<DesktopOrderOutput<Name>>;
  };
} = desktopOrders;

/** Answers an order, whatever came in; never rejects. Errors beside the order's own: CALL_UNKNOWN, CALL_INPUT, CALL_FAULT. */
type ServeOrder = (request: unknown) => Promise<CallReply>;

export function createServeOrder(orders: DesktopOrders, logger: Logger): ServeOrder {
  async function carryOut<Name extends DesktopOrderName>(
    name: Name,
    given: unknown,
  ): Promise<Result<DesktopOrderOutput<Name>, Failure>> {
    const input = schemas[name].input.safeParse(given);
    if (!input.success) return err(refusedInput(name));
    const result = await orders[name](input.data);
    return result.ok ? ok(schemas[name].output.parse(result.value)) : result;
  }

  return async (request) => {
    const envelope = requestSchema.safeParse(request);
    if (!envelope.success || !isOrderName(envelope.data.call)) return err(unknownOrder);
    const { call: order, input } = envelope.data;
    try {
      return await carryOut(order, input);
    } catch (error) {
      logger.error('An order of the page ended with an unexpected error', { order, error });
      return err(faultyOrder);
    }
  };
}

/** Own names only: `constructor` and its like are on every object. */
const isOrderName = (name: string): name is DesktopOrderName => Object.hasOwn(desktopOrders, name);

const refusedInput = (order: DesktopOrderName): Failure => ({
  code: 'CALL_INPUT',
  message: `The app does not take what was given with ${order}.`,
  advice: 'Close the window and open it again.',
  retryable: false,
});

const unknownOrder: Failure = {
  code: 'CALL_UNKNOWN',
  message: 'The app has no such order.',
  advice: 'Close the window and open it again.',
  retryable: false,
};

const faultyOrder: Failure = {
  code: 'CALL_FAULT',
  message: 'The app could not carry this out because of a fault of its own.',
  advice: 'Try again. If it happens again, the log of the app has the details.',
  retryable: true,
};
