import { crc32 } from 'node:zlib';
import type { Failure } from '../../../shared/domain/failure.ts';
import type { Clock } from '../ports.ts';
import type { ConnectionUser, PutConnection, PutConnections } from './put-connections.ts';
import type { ReceivedAnswer } from './read-answer.ts';
import {
  createBodyReader,
  refusedHeaders,
  type BodyChunk,
  type BodyReader,
  type PutRequest,
} from './signed-put-body.ts';

/**
 * How an exchange ended. `sentBytes` counts what the socket accepted; an answer may come before the body was sent.
 * `source`: the file could not provide its bytes;
 * `refused`: nothing may be sent to this URL.
 */
export type ExchangeOutcome =
  | {
      readonly kind: 'answer';
      readonly answer: ReceivedAnswer;
      readonly sentBytes: number;
      readonly crc32?: number;
    }
  | {
      readonly kind: 'network';
      /** Of the system, of TLS or of this program; ECONNRESET if there is none. */
      readonly code: string;
      readonly message: string;
      /** Undefined if the exchange ran in a thread of its own. */
      readonly error?: Error;
      readonly sentBytes: number;
      /** The connection had served another request before. */
      readonly wasReused: boolean;
    }
  | { readonly kind: 'source' | 'refused'; readonly failure: Failure; readonly sentBytes: number }
  | { readonly kind: 'aborted'; readonly sentBytes: number };

/** How long an exchange may take. */
export interface ExchangeOptions {
  readonly clock: Pick<Clock, 'after'>;
  /** From the first packet to a ready connection, TLS included, milliseconds; default: 15 s. */
  readonly connectTimeoutMs?: number;
  /** No byte moved in either direction, milliseconds; default: a minute. */
  readonly idleTimeoutMs?: number;
  /**
   * From when the system accepted the last byte of the body to the end of the answer, milliseconds: guards against slow
   * trickles. Default: a minute.
   */
  readonly answerTimeoutMs?: number;
}

const CONNECT_TIMEOUT_MS = 15_000;
const IDLE_TIMEOUT_MS = 60_000;
const ANSWER_TIMEOUT_MS = 60_000;

/** How long to wait for an answer after a failed write: it has already arrived, or never will. */
const ANSWER_GRACE_MS = 500;

/** Abort reason for what still waits for this PUT. Created once: a default reason costs a stack trace each time. */
const ENDED = new Error('The PUT has ended');

/** The input of one PUT. */
export interface ExchangeSetup {
  readonly options: ExchangeOptions;
  readonly connections: PutConnections;
  readonly input: PutRequest;
}

/** One PUT in progress. */
interface Exchange extends ExchangeSetup {
  readonly reader: BodyReader;
  /** Aborted when the PUT has ended, for whatever reason. */
  readonly ended: AbortSignal;
  readonly settle: (outcome: ExchangeOutcome) => void;
  connection: PutConnection | undefined;
  sentBytes: number;
  crc32: number;
  /** The last piece was passed to the socket. */
  isBodyGiven: boolean;
  /** Storage has answered, or the socket accepts no more: no further piece is written. */
  isHalted: boolean;
  hasWriteFailed: boolean;
  /** Storage keeps the connection open after its answer. */
  keepsAlive: boolean;
  /** Cancel pending time limits. */
  readonly limits: (() => void)[];
}

/**
 * Sends one body and returns how it ended. The first end wins: answer, a problem with the network or the file, abort.
 */
export async function runExchange(setup: ExchangeSetup): Promise<ExchangeOutcome> {
  const failure = refusedHeaders(setup.input.url);
  if (failure !== undefined) return { kind: 'refused', failure, sentBytes: 0 };
  const { promise, resolve, reject } = Promise.withResolvers<ExchangeOutcome>();
  const ending = new AbortController();
  const reader = createBodyReader({ ...setup.input, signal: ending.signal });
  const exchange: Exchange = {
    ...setup,
    reader,
    ended: ending.signal,
    settle: resolve,
    connection: undefined,
    sentBytes: 0,
    crc32: 0,
    isBodyGiven: false,
    isHalted: false,
    hasWriteFailed: false,
    keepsAlive: false,
    limits: [],
  };
  const { signal } = setup.input;
  const abort = (): void => resolve({ kind: 'aborted', sentBytes: exchange.sentBytes });
  if (signal.aborted) abort();
  else sendBody(exchange).catch(reject);
  signal.addEventListener('abort', abort, { once: true });
  let outcome: ExchangeOutcome | undefined;
  try {
    outcome = await promise;
    return outcome;
  } finally {
    signal.removeEventListener('abort', abort);
    if (isConnectionReusable(exchange, outcome)) exchange.connection?.release();
    else exchange.connection?.destroy();
    ending.abort(ENDED);
    for (const takeBack of exchange.limits) takeBack();
  }
}

/** The request was fully sent, and its answer received. */
function isConnectionReusable(exchange: Exchange, outcome: ExchangeOutcome | undefined): boolean {
  return (
    outcome?.kind === 'answer' && exchange.keepsAlive && exchange.isBodyGiven && !exchange.hasWriteFailed
  );
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
    const isFirst = exchange.connection === undefined;
    const connection = exchange.connection ?? (await openConnection(exchange));
    if (connection === undefined) return false;
    if (input.withCrc32 !== false) exchange.crc32 = crc32(chunk.bytes, exchange.crc32);
    exchange.isBodyGiven = chunk.isLast;
    await connection.write(isFirst ? headOf(input) : '', chunk.bytes);
    if (chunk.isLast && !ended.aborted) limitAnswer(exchange, connection);
    if (exchange.hasWriteFailed) return false;
    exchange.sentBytes += sizeBytes;
    input.onBytes?.(sizeBytes);
    return !ended.aborted && !exchange.isHalted;
  } finally {
    chunk.release();
  }
}

/** The request up to its body: nothing that the signature does not cover. */
function headOf({ url: { pathname, search, host }, length }: PutRequest): string {
  return `PUT ${pathname}${search} HTTP/1.1\r\nhost: ${host}\r\ncontent-length: ${length}\r\nconnection: keep-alive\r\n\r\n`;
}

function limitAnswer(exchange: Exchange, connection: PutConnection): void {
  const delayMs = exchange.options.answerTimeoutMs ?? ANSWER_TIMEOUT_MS;
  const late = (): void => connection.destroy(timeout('ETIMEDOUT', 'the response did not arrive in time'));
  limit(exchange, delayMs, late);
}

/** Undefined when the PUT has ended meanwhile, or none could be made. */
async function openConnection(exchange: Exchange): Promise<PutConnection | undefined> {
  const { options, connections, input, ended } = exchange;
  const user: ConnectionUser = {
    idleTimeoutMs: options.idleTimeoutMs ?? IDLE_TIMEOUT_MS,
    onHead: () => void (exchange.isHalted = true),
    onAnswer: (answer) => answered(exchange, answer),
    onEnd: (error) => settleNetwork(exchange, error),
    onWriteError: (error) => waitForAnswer(exchange, error),
  };
  const opening = connections.open(input.url, user);
  const connection = 'then' in opening ? await opened(exchange, opening) : opening;
  exchange.connection = connection;
  if (connection === undefined || ended.aborted) {
    connection?.destroy();
    return undefined;
  }
  if (!connection.isReady) limitConnecting(exchange, connection);
  return connection;
}

/** A tunnel may take a while to open or to fail, and is not waited for after the end. */
function opened(exchange: Exchange, opening: Promise<PutConnection>): Promise<PutConnection | undefined> {
  return new Promise((resolve) => {
    exchange.ended.addEventListener('abort', () => resolve(undefined), { once: true });
    opening.then(
      (connection) => {
        if (exchange.ended.aborted) connection.destroy();
        resolve(connection);
      },
      (error: unknown) => {
        settleNetwork(exchange, error instanceof Error ? error : new Error(String(error)));
        resolve(undefined);
      },
    );
  });
}

function answered(exchange: Exchange, answer: ReceivedAnswer): void {
  const { input, isBodyGiven, hasWriteFailed, settle } = exchange;
  exchange.isHalted = true;
  exchange.keepsAlive = answer.keepsAlive;
  // Whether the bytes are stored was still to come
  if (answer.isCut && answer.status < 300)
    return settleNetwork(exchange, new Error('the response was cut off'));
  // The last write's own confirmation may come after the answer
  const sentBytes = isBodyGiven && !hasWriteFailed ? input.length : exchange.sentBytes;
  settle({
    kind: 'answer',
    answer,
    sentBytes,
    ...(input.withCrc32 === false ? {} : { crc32: exchange.crc32 }),
  });
}

/** A failed write often means that storage has answered and closed: the answer gets a moment to be read. */
function waitForAnswer(exchange: Exchange, error: Error): void {
  exchange.isHalted = true;
  exchange.hasWriteFailed = true;
  limit(exchange, ANSWER_GRACE_MS, () => settleNetwork(exchange, error));
}

function limitConnecting(exchange: Exchange, connection: PutConnection): void {
  const delayMs = exchange.options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS;
  const late = (): void => connection.destroy(timeout('CONNECT_TIMEOUT', 'no connection was made in time'));
  connection.onReady(limit(exchange, delayMs, late));
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

function settleNetwork(exchange: Exchange, error: Error): void {
  const { settle, sentBytes, connection } = exchange;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : 'ECONNRESET';
  const message = error.message.slice(0, 200);
  settle({ kind: 'network', code, message, error, sentBytes, wasReused: connection?.wasReused === true });
}
