import { putHeaders } from './signed-put-body.ts';
import { runExchange } from './signed-put-exchange.ts';
import { createPutAgents } from './signed-put-socket.ts';
import type { PutOutcome, PutRequest, SignedPutOptions } from './signed-put-types.ts';

export type { PutOutcome, PutRequest, SignedPutOptions } from './signed-put-types.ts';

/** The client for signed URLs: it knows no key, keeps no cookies and follows no redirect. */
export interface SignedPut {
  /** Never rejects. */
  put(request: PutRequest): Promise<PutOutcome>;
  /** Closes kept connections. PUTs in flight end by their own signals. */
  stop(): void;
}

/** Makes the client. `stop` it in the end. */
export function createSignedPut(options: SignedPutOptions): SignedPut {
  const agents = createPutAgents(options);
  return {
    async put(input) {
      const headers = putHeaders(input.url, input.length);
      if (!headers.ok) return { kind: 'refused', failure: headers.error, sentBytes: 0 };
      return runExchange({ options, agents, input, headers: headers.value });
    },
    stop: () => agents.stop(),
  };
}
