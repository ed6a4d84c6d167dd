import {
  putHeaders,
  type PutRequest,
  createBodyReader,
  type BodyChunk,
  type BodyReader,
} from './signed-put-body.ts';
import {
  createPutAgents,
  type PutAgents,
  type SignedPutOptions,
  type PutOutcome,
  isUsableEtag,
  readPutAnswer,
  type PutAnswer,
} from './signed-put-answer.ts';
import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { crc32 } from 'node:zlib';
import type { Failure } from '../../../shared/domain/failure.ts';
import { failureWithin } from './failures.ts';

/** The client for signed URLs: it knows no key, keeps no cookies and follows no redirect. */
export interface SignedPut {
  /** Never rejects. */
  put(request: PutRequest): Promise<PutOutcome>;
  /** Closes kept connections. PUTs in flight end by their own signals. */
  stop(): void;
}

/** Creates the client. Call `stop` at the end. */
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

/** From the first packet to a ready connection, TLS included. */
const CONNECT_TIMEOUT_MS = 15_000;

/** No byte moved in either direction. */
const IDLE_TIMEOUT_MS = 60_000;

/** How long to wait for an answer after a failed write: it has already arrived, or never will. */
const ANSWER_GRACE_MS = 500;

/** From when the system accepted the last byte of the body to the end of the answer: guards against slow trickles. */
const ANSWER_TIMEOUT_MS = 60_000;

/** 32 KiB of headers; storage sends under 2 KiB. */
const MAX_HEADER_BYTES = 32 * 1024;

/** Abort reason for what still waits for this PUT. Created once: a default reason costs a stack trace each time. */
const ENDED = new Error('The PUT has ended');

/** The input of one PUT. */
interface PutSetup {
  readonly options: SignedPutOptions;
  readonly agents: PutAgents;
  readonly input: PutRequest;
  readonly headers: Readonly<Record<string, string>>;
}

/** One PUT in progress. */
interface Exchange extends PutSetup {
  readonly reader: BodyReader;
  /** Aborted when the PUT has ended, for whatever reason. */
  readonly ended: AbortSignal;
  readonly settle: (outcome: PutOutcome) => void;
  request: ClientRequest | undefined;
  sentBytes: number;
  crc32: number;
  /** The last piece was passed to the request. */
  isBodyGiven: boolean;
  /** Storage has answered, or the socket accepts no more: no further piece is written. */
  isHalted: boolean;
  hasWriteFailed: boolean;
  /** Cancel pending time limits. */
  readonly limits: (() => void)[];
}

/**
 * Sends one body and returns how it ended. The first end wins: answer, a problem with the network or the file, abort.
 */
async function runExchange(setup: PutSetup): Promise<PutOutcome> {
  const { promise, resolve, reject } = Promise.withResolvers<PutOutcome>();
  const ending = new AbortController();
  const reader = createBodyReader({ ...setup.input, signal: ending.signal });
  const exchange: Exchange = {
    ...setup,
    reader,
    ended: ending.signal,
    settle: resolve,
    request: undefined,
    sentBytes: 0,
    crc32: 0,
    isBodyGiven: false,
    isHalted: false,
    hasWriteFailed: false,
    limits: [],
  };
  const { signal } = setup.input;
  const abort = (): void => resolve({ kind: 'aborted', sentBytes: exchange.sentBytes });
  if (signal.aborted) abort();
  else sendBody(exchange).catch(reject);
  signal.addEventListener('abort', abort, { once: true });
  let outcome: PutOutcome | undefined;
  try {
    outcome = await promise;
    return outcome;
  } finally {
    signal.removeEventListener('abort', abort);
    if (!isConnectionReusable(exchange, outcome)) exchange.request?.destroy();
    ending.abort(ENDED);
    for (const takeBack of exchange.limits) takeBack();
  }
}

/** A connection whose request was fully sent and answered goes back to the agent automatically. */
function isConnectionReusable(exchange: Exchange, outcome: PutOutcome | undefined): boolean {
  const isAnswered = outcome?.kind === 'answer' || outcome?.kind === 'refused';
  return isAnswered && exchange.isBodyGiven && !exchange.hasWriteFailed;
}

async function sendBody(exchange: Exchange): Promise<void> {
  const { reader, ended, settle } = exchange;
  try {
    for (;;) {
      const chunk = await reader.next();
      if (!chunk.ok) {
        return settle({ kind: 'source', failure: chunk.error, sentBytes: exchange.sentBytes });
      }
      const goesOn = await sendChunk(exchange, chunk.value);
      if (!goesOn || chunk.value.isLast) return;
    }
  } catch (error) {
    if (!ended.aborted) throw error;
  } finally {
    reader.dispose();
  }
}

/**
 * Sends one piece; returns whether the next one is wanted. The first piece opens the request, so that a problem with
 * the file shows before storage is contacted.
 */
async function sendChunk(exchange: Exchange, chunk: BodyChunk): Promise<boolean> {
  const { input, ended } = exchange;
  const sizeBytes = chunk.bytes.length;
  try {
    await input.limiter.take(sizeBytes, ended);
    if (ended.aborted || exchange.isHalted) return false;
    exchange.request ??= openRequest(exchange);
    if (input.withCrc32 !== false) exchange.crc32 = crc32(chunk.bytes, exchange.crc32);
    await writeChunk(exchange, exchange.request, chunk);
    if (exchange.hasWriteFailed) return false;
    exchange.sentBytes += sizeBytes;
    input.onBytes?.(sizeBytes);
    return !ended.aborted && !exchange.isHalted;
  } finally {
    chunk.release();
  }
}

/** Resolves when the buffer may be used again: the socket has accepted it, or is gone. */
function writeChunk(exchange: Exchange, request: ClientRequest, chunk: BodyChunk): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      request.removeListener('close', done);
      resolve();
    };
    request.once('close', done);
    // Still waiting for its tunnel, which may take a while to fail; a request destroyed before that writes nothing
    if (!request.socket)
      exchange.ended.addEventListener('abort', () => request.socket ?? done(), { once: true });
    if (chunk.isLast) {
      exchange.isBodyGiven = true;
      request.end(chunk.bytes, () => {
        if (!exchange.ended.aborted) limitAnswer(exchange, request);
        done();
      });
    } else {
      request.write(chunk.bytes, done);
    }
  });
}

function limitAnswer(exchange: Exchange, request: ClientRequest): void {
  const delayMs = exchange.options.answerTimeoutMs ?? ANSWER_TIMEOUT_MS;
  const late = (): void => void request.destroy(timeout('ETIMEDOUT', 'the response did not arrive in time'));
  limit(exchange, delayMs, late);
}

function openRequest(exchange: Exchange): ClientRequest {
  const { options, agents, input, headers } = exchange;
  const { protocol, hostname, port, pathname, search } = input.url;
  const open = protocol === 'https:' ? httpsRequest : httpRequest;
  // Not the URL: all of its parts would be copied several times, at a fifth of the cost of a request
  const request = open({
    hostname: hostname.replace(/^\[(.+)\]$/, '$1'),
    port,
    path: `${pathname}${search}`,
    method: 'PUT',
    agent: agents.agentFor(input.url),
    headers,
    maxHeaderSize: MAX_HEADER_BYTES,
    insecureHTTPParser: false,
    timeout: options.idleTimeoutMs ?? IDLE_TIMEOUT_MS,
    ...(options.lookup === undefined ? {} : { lookup: options.lookup }),
  });
  request.once('response', (response) => void answered(exchange, response));
  request.on('error', (error) => settleNetwork(exchange, error));
  request.once(
    'close',
    () => exchange.isHalted || settleNetwork(exchange, new Error('the connection closed')),
  );
  request.once('timeout', () =>
    request.destroy(timeout('ETIMEDOUT', 'nothing was transferred for too long')),
  );
  request.once('socket', (socket) => limitConnecting(exchange, socket));
  agents.onWriteError(request, (error) => waitForAnswer(exchange, error));
  return request;
}

async function answered(exchange: Exchange, response: IncomingMessage): Promise<void> {
  exchange.isHalted = true;
  const answer = await readPutAnswer(response);
  if (answer === undefined) return settleNetwork(exchange, new Error('the response was cut off'));
  exchange.settle(answerOutcome(exchange, answer));
}

function answerOutcome(exchange: Exchange, answer: PutAnswer): PutOutcome {
  const { input, isBodyGiven, hasWriteFailed } = exchange;
  // The last write's own confirmation may come after the answer
  const sentBytes = isBodyGiven && !hasWriteFailed ? input.length : exchange.sentBytes;
  if (answer.status < 300 && answer.etag !== undefined && !isUsableEtag(answer.etag)) {
    return { kind: 'refused', failure: badEtag(input.url.host, answer.status), sentBytes };
  }
  return {
    kind: 'answer',
    ...answer,
    sentBytes,
    ...(input.withCrc32 === false ? {} : { crc32: exchange.crc32 }),
  };
}

/** A failed write often means that storage has answered and closed: the answer gets a moment to be read. */
function waitForAnswer(exchange: Exchange, error: Error): void {
  exchange.isHalted = true;
  exchange.hasWriteFailed = true;
  limit(exchange, ANSWER_GRACE_MS, () => settleNetwork(exchange, error));
}

function limitConnecting(exchange: Exchange, socket: Socket): void {
  if (!socket.connecting) return;
  const isReady = exchange.input.url.protocol === 'https:' ? 'secureConnect' : 'connect';
  const delayMs = exchange.options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS;
  const late = (): void =>
    void exchange.request?.destroy(timeout('CONNECT_TIMEOUT', 'no connection was made in time'));
  socket.once(isReady, limit(exchange, delayMs, late));
}

/** Runs `work` after a while, unless the PUT has ended by then or the returned function was called. */
function limit(exchange: Exchange, delayMs: number, work: () => void): () => void {
  const takeBack = exchange.options.clock.after(delayMs, work);
  exchange.limits.push(takeBack);
  return takeBack;
}

function timeout(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

function settleNetwork(exchange: Exchange, error: Error & { readonly code?: unknown }): void {
  const { settle, sentBytes, request } = exchange;
  const code = typeof error.code === 'string' ? error.code : 'ECONNRESET';
  const wasReused = request?.reusedSocket === true;
  const failure = failureWithin(error);
  const message = error.message.slice(0, 200);
  settle({ kind: 'network', code, message, sentBytes, wasReused, ...(failure && { failure }) });
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
