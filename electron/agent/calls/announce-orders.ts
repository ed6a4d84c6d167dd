import type { uploadCalls } from '../../../shared/ipc/calls/uploads.ts';
import type { CallName } from '../../../shared/ipc/contract.ts';
import type { Handler, Handlers } from './call.ts';

type UploadHandlers = Handlers<keyof typeof uploadCalls>;

/** The same handlers; whoever watches learns that a person ordered something, by this window or another one. */
export function announceOrders(handlers: UploadHandlers, announce: () => void): UploadHandlers {
  const announced =
    <Name extends CallName>(handler: Handler<Name>): Handler<Name> =>
    async (input, signal) => {
      try {
        return await handler(input, signal);
      } finally {
        // Also after a failure: a part of it may have been done
        announce();
      }
    };
  return {
    ...handlers,
    'uploads.retry': announced(handlers['uploads.retry']),
    'uploads.pause': announced(handlers['uploads.pause']),
    'uploads.resume': announced(handlers['uploads.resume']),
    'uploads.cancel': announced(handlers['uploads.cancel']),
    'uploads.moveToFront': announced(handlers['uploads.moveToFront']),
  };
}
