import type { Failure } from '../../../shared/domain/failure.ts';
import type { CallReply } from '../../../shared/ipc/envelope.ts';
import { err, type Result } from '../../../shared/lib/result.ts';
import type { Agent, Logger } from '../../agent/index.ts';
import type { ConfirmCall } from './confirm-call.ts';

/** The agent once it runs, or why it does not. Never rejects. */
export type StartedAgent = Promise<Result<Pick<Agent, 'call'>, Failure>>;

/** Answers calls of the page. Never rejects. Errors beside the agent's: CANCELLED, and why the agent did not start. */
export type ServeCall = (request: unknown, gone: AbortSignal) => Promise<CallReply>;

interface Deps {
  readonly started: StartedAgent;
  readonly confirm: ConfirmCall;
  readonly logger: Logger;
}

/** A page that is there before the agent waits for it; what is grave is confirmed by a person. */
export function createServeCall({ started, confirm, logger }: Deps): ServeCall {
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
      logger.error('A call of the page ended with an unexpected error', { error });
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

const pageGone: Failure = {
  code: 'CANCELLED',
  message: 'The page that asked is gone.',
  advice: 'Try again when it is still wanted.',
  retryable: true,
};

const faultyCall: Failure = {
  code: 'CALL_FAULT',
  message: 'The app could not carry this out because of a fault of its own.',
  advice: 'Try again. If it happens again, the log of the app has the details.',
  retryable: true,
};
