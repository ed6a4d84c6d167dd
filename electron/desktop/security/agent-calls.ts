import type { Failure } from '../../../shared/domain/failure.ts';
import type { CallReply } from '../../../shared/ipc/envelope.ts';
import type { Say } from '../../../shared/words/native-words.ts';
import { err, type Result, ok } from '../../../shared/lib/result.ts';
import { confirmationOf, needsFacts, type Agent, type Confirmation, type Logger } from '../../agent/index.ts';
import { requestSchema } from '../../../shared/ipc/envelope.ts';
import type { NativeDialogs } from '../window/native-dialogs.ts';

/** The agent once it runs, or why it does not. Never rejects. */
export type StartedAgent = Promise<Result<Pick<Agent, 'call'>, Failure>>;

/** Answers calls of the page. Never rejects. Errors besides the agent's: CANCELLED, and why the agent did not start. */
export type ServeCall = (request: unknown, gone: AbortSignal) => Promise<CallReply>;

interface ServeDeps {
  readonly started: StartedAgent;
  readonly confirm: ConfirmCall;
  readonly logger: Logger;
}

/**
 * Creates the handler of page calls. Calls wait until the agent has started; grave ones need a person's confirmation.
 */
export function createServeCall({ started, confirm, logger }: ServeDeps): ServeCall {
  async function serve(request: unknown, gone: AbortSignal): Promise<CallReply> {
    const agent = await Promise.race([started, whenGone(gone)]);
    if (!agent.ok) return agent;
    const confirmed = await confirm(request, agent.value, gone);
    return confirmed.ok ? agent.value.call(request, gone) : confirmed;
  }

  return async (request, gone) => {
    try {
      return await serve(request, gone);
    } catch (error) {
      logger.error('A page call ended with an unexpected error', { error });
      return err(faultyCall);
    }
  };
}

function whenGone(gone: AbortSignal): Promise<{ readonly ok: false; readonly error: Failure }> {
  return new Promise((resolve) => {
    const leave = (): void => resolve(err(pageGone));
    if (gone.aborted) leave();
    else gone.addEventListener('abort', leave, { once: true });
  });
}

/** Answer to a call whose page was closed or reloaded meanwhile. */
export const pageGone: Failure = {
  code: 'CANCELLED',
  message: 'The page that made this request was closed.',
  advice: 'Try again if you still need it.',
  retryable: true,
};

const faultyCall: Failure = {
  code: 'CALL_FAULT',
  message: 'The app could not do this because of an internal error.',
  advice: 'Try again. If it happens again, see the program log in Health.',
  retryable: true,
};

const CANCEL = 0;

const CARRY_OUT = 1;

/** Asks the person at the desk to confirm requests that need it. Errors: CANCELLED. */
type ConfirmCall = (
  request: unknown,
  agent: Pick<Agent, 'call'>,
  gone: AbortSignal,
) => Promise<Result<void, Failure>>;

interface ConfirmDeps {
  readonly dialogs: Pick<NativeDialogs, 'ask'>;
  readonly logger: Logger;
  readonly say: Say;
}

/** One question at a time: a page cannot bury a person under dialogs. */
export function createConfirmCall({ dialogs, logger, say }: ConfirmDeps): ConfirmCall {
  let isAsking = false;

  async function ask(
    { message, detail, action }: Confirmation,
    request: unknown,
    gone: AbortSignal,
  ): Promise<Result<void, Failure>> {
    const buttons = [say('confirm.cancel'), action];
    const answer = await dialogs.ask(
      { kind: 'warning', message, detail, buttons, usual: CANCEL, cancel: CANCEL },
      gone,
    );
    const isConfirmed = answer === CARRY_OUT && !gone.aborted;
    logger.info('Confirmation was requested for a call', {
      call: requestSchema.safeParse(request).data?.call,
      isConfirmed,
    });
    return isConfirmed ? ok(undefined) : err(notConfirmed);
  }

  return async (request, agent, gone) => {
    if (!needsFacts(request)) return ok(undefined);
    if (isAsking) return err(alreadyAsking);
    isAsking = true;
    try {
      const confirmation = await confirmationOf(request, agent, say, gone);
      return confirmation === undefined ? ok(undefined) : await ask(confirmation, request, gone);
    } finally {
      isAsking = false;
    }
  };
}

const notConfirmed: Failure = {
  code: 'CANCELLED',
  message: 'Nothing was changed: you chose Cancel.',
  advice: 'Try again if you still want to make this change.',
  retryable: false,
};

const alreadyAsking: Failure = {
  code: 'CANCELLED',
  message: 'Nothing was changed: the app is already asking another question.',
  advice: 'Answer that one first, then try again.',
  retryable: true,
};
