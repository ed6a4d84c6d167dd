import type { Failure } from '../../../shared/domain/failure.ts';
import { failureWithin } from './failures.ts';
import { createPutConnections, type ConnectionOptions } from './put-connections.ts';
import { runExchange, type ExchangeOptions, type ExchangeOutcome } from './put-exchange.ts';
import { ready, type ProxyRoute } from './proxy-route.ts';
import { isUsableEtag, readPutAnswer, type PutOutcome } from './signed-put-answer.ts';
import type { PutRequest } from './signed-put-body.ts';

/** The client for signed URLs: it knows no key, keeps no cookies and follows no redirect. */
export interface SignedPut {
  /** Never rejects. */
  put(request: PutRequest): Promise<PutOutcome>;
  /** Closes kept connections. PUTs in flight end by their own signals. */
  stop(): void;
}

/** Options of the client. */
export interface SignedPutOptions extends Omit<ConnectionOptions, 'through'>, ExchangeOptions {
  /** Default: directly to storage. */
  readonly route?: ProxyRoute;
}

/** Creates the client. Call `stop` at the end. */
export function createSignedPut(options: SignedPutOptions): SignedPut {
  const { route } = options;
  const connections = createPutConnections({
    ...options,
    through({ host: hostname, port }, secure) {
      if (route?.proxyFor({ hostname, port }) === undefined) return undefined;
      return route.connect({ hostname, port }, async (tunnel, signal) => {
        const connection = secure(tunnel);
        await ready(connection, signal);
        return connection;
      });
    },
  });
  return {
    async put(input) {
      return putOutcome(await runExchange({ options, connections, input }), input.url.host);
    },
    stop: () => connections.stop(),
  };
}

/** What the end of an exchange with this host means. */
export function putOutcome(ended: ExchangeOutcome, host: string): PutOutcome {
  if (ended.kind === 'answer') {
    const { answer: received, ...sent } = ended;
    const answer = readPutAnswer(received);
    const { status, etag } = answer;
    if (status < 300 && etag !== undefined && !isUsableEtag(etag))
      return { kind: 'refused', failure: badEtag(host, status), sentBytes: sent.sentBytes };
    return { ...sent, ...answer };
  }
  if (ended.kind !== 'network') return ended;
  const { error, ...problem } = ended;
  const failure = failureWithin(error);
  return { ...problem, ...(failure && { failure }) };
}

function badEtag(host: string, status: number): Failure {
  return {
    code: 'API_ETAG',
    message: `Storage at ${host} responded without a usable ETag.`,
    advice: 'If this still fails after several automatic retries, tell the operator of the service.',
    retryable: true,
    status,
  };
}
