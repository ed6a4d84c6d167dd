import type { CallReply } from '../../../shared/ipc/envelope.ts';
import type { RpcServer } from './serve-rpc.ts';

/** Knows the calls that are under way, so that none outlives what it works on. */
export interface CallDesk {
  /** Never rejects. `signal` breaks the call off, for a caller that went away. */
  call(request: unknown, signal: AbortSignal | undefined): Promise<CallReply>;
  /** Breaks off the calls that are under way. */
  breakOff(): void;
  /** Resolves when no call is under way any more. */
  settled(): Promise<void>;
}

/** Makes the desk. */
export function createCallDesk(server: RpcServer): CallDesk {
  const underWay = new Map<AbortController, Promise<CallReply>>();

  return {
    async call(request, signal) {
      // A signal of this call only: a caller's long-lived one would gather listeners
      const ending = new AbortController();
      const abort = (): void => ending.abort(signal?.reason);
      signal?.addEventListener('abort', abort, { once: true });
      if (signal?.aborted === true) abort();
      const reply = server.serve(request, ending.signal);
      underWay.set(ending, reply);
      try {
        return await reply;
      } finally {
        underWay.delete(ending);
        signal?.removeEventListener('abort', abort);
      }
    },
    breakOff() {
      for (const ending of underWay.keys()) ending.abort(new Error('The agent is stopping'));
    },
    async settled() {
      await Promise.all(underWay.values());
    },
  };
}
