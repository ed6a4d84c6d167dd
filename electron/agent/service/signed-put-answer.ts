import { type IncomingMessage, Agent as HttpAgent, type ClientRequest } from 'node:http';
import type { Readable, Duplex } from 'node:stream';
import { Agent as HttpsAgent } from 'node:https';
import type { LookupFunction, Socket } from 'node:net';
import type { Failure, RequestId } from '../../../shared/domain/failure.ts';
import { removeSecrets, withIds } from '../core/text/redact.ts';
import { readRequestIds } from './request-ids.ts';
import type { Clock } from '../ports.ts';
import { connectThrough, type ProxyRoute } from './proxy-route.ts';

/** Longest error body that is read, bytes (64 KiB). */
const MAX_BODY_BYTES = 64 * 1024;
/** Longest text that is kept of an answer, characters (service.md gap 23). */
const MAX_TEXT_CHARACTERS = 200;
/** Visible ASCII, quoted or not, at most 512 characters. */
const ETAG = /^(?=.{1,512}$)(W\/)?"*[\x21\x23-\x7e]+"*$/;

/** The answer of storage. */
export interface PutAnswer {
  readonly status: number;
  /** As received, with its quotes; undefined if there was none. */
  readonly etag?: string;
  /** Storage's clock, from its `Date` header. */
  readonly dateMs?: number;
  /** The header as received: see `parseRetryAfter`. */
  readonly retryAfter?: string;
  readonly requestIds?: readonly RequestId[];
  /** `Code` of an S3 error document. */
  readonly xmlCode?: string;
  /** `Message` of an S3 error document, or else the beginning of the body: at most 200 characters, without secrets. */
  readonly text: string;
}

/**
 * How a PUT ended. `sentBytes` counts what the socket accepted. An `answer` may come before the body was sent: bytes
 * are stored only if the status says so and `sentBytes` is the length. `network` means unknown, not failed.
 */
export type PutOutcome =
  | ({
      readonly kind: 'answer';
      readonly sentBytes: number;
      readonly crc32?: number;
    } & PutAnswer)
  | {
      readonly kind: 'network';
      readonly code: string;
      readonly message: string;
      readonly sentBytes: number;
      /**
       * The connection had served another request before: storage may just have closed it, so a retry costs nothing.
       */
      readonly wasReused: boolean;
      /** Why no connection was made, if the reason concerns every upload: a problem with the proxy. */
      readonly failure?: Failure;
    }
  | { readonly kind: 'source'; readonly failure: Failure; readonly sentBytes: number }
  | { readonly kind: 'refused'; readonly failure: Failure; readonly sentBytes: number }
  | { readonly kind: 'aborted'; readonly sentBytes: number };

/**
 * Reads an answer to its end or its size limit; undefined if it was cut off before it said whether the bytes are
 * stored.
 */
export async function readPutAnswer(response: IncomingMessage): Promise<PutAnswer | undefined> {
  const status = response.statusCode ?? 0;
  const body = await readCapped(response, MAX_BODY_BYTES);
  const isCut = !body.isWhole && body.bytes.length < MAX_BODY_BYTES;
  if (isCut && status < 300) return undefined;
  return { status, ...readHeaders(response), ...readBody(body.bytes.toString('utf8')) };
}

/** Whether an etag is one that can be stored and sent to the service. */
export function isUsableEtag(etag: string): boolean {
  return ETAG.test(etag);
}

function readHeaders(response: IncomingMessage): Omit<PutAnswer, 'status' | 'text'> {
  const { etag, date } = response.headers;
  const dateMs = date === undefined ? Number.NaN : Date.parse(date);
  const retryAfter = response.headers['retry-after'];
  return {
    ...(etag === undefined ? {} : { etag }),
    ...(Number.isNaN(dateMs) ? {} : { dateMs }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
    ...withIds(readRequestIds(response.headers)),
  };
}

function readBody(body: string): Pick<PutAnswer, 'xmlCode' | 'text'> {
  if (!body.includes('<Error')) return { text: shortText(body) };
  const code = element(body, 'Code');
  const xmlCode = code !== undefined && /^[A-Za-z0-9.]{1,64}$/.test(code) ? code : undefined;
  return { ...(xmlCode === undefined ? {} : { xmlCode }), text: shortText(element(body, 'Message') ?? '') };
}

function element(xml: string, name: string): string | undefined {
  return new RegExp(`<${name}>([^<]{0,4096})</${name}>`).exec(xml)?.[1]?.trim();
}

function shortText(text: string): string {
  const oneLine = text.slice(0, 4 * 1024).replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ');
  return removeSecrets(oneLine, []).trim().slice(0, MAX_TEXT_CHARACTERS);
}

/** What could be read of a body; `isWhole` is false if it was longer than the limit or cut off. */
interface CappedBody {
  readonly bytes: Buffer;
  readonly isWhole: boolean;
}

/** Reads a body and counts its bytes; one longer than `limitBytes` is cut there and its stream destroyed. */
export function readCapped(stream: Readable, limitBytes: number): Promise<CappedBody> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  // With events: an iterator costs more than the rest of most answers, which have no body
  return new Promise((resolve) => {
    const end = (isWhole: boolean) => (): void => resolve({ bytes: Buffer.concat(chunks), isWhole });
    stream.on('data', (chunk: unknown) => {
      const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
      chunks.push(bytes.subarray(0, Math.max(0, limitBytes - sizeBytes)));
      sizeBytes += bytes.length;
      if (sizeBytes > limitBytes) stream.destroy();
    });
    stream.once('end', end(true));
    stream.on('error', end(false));
    stream.once('close', end(false));
  });
}

/** Idle connections are closed after this long, milliseconds: before the usual 20 s of storage servers. */
const KEEP_ALIVE_MS = 15_000;

/** Options of the sockets. */
interface SocketOptions {
  readonly maxSockets: number;
  /** Certificates that are trusted instead of Node's own list. */
  readonly ca?: string | readonly string[];
  /** Default: directly to storage. */
  readonly route?: ProxyRoute;
}

/** Options of the client. Timeouts default to those in `signed-put.ts`. */
export interface SignedPutOptions extends SocketOptions {
  readonly clock: Clock;
  readonly connectTimeoutMs?: number;
  readonly idleTimeoutMs?: number;
  readonly answerTimeoutMs?: number;
  /** See `createCheckedLookup`; default: the system's. */
  readonly lookup?: LookupFunction;
}

/** The two agents of the signed PUT; their sockets keep reading after a failed write. */
export interface PutAgents {
  agentFor(url: URL): HttpAgent;
  /** Calls back when a write to this request's socket has failed, now or later. */
  onWriteError(request: ClientRequest, callback: (error: Error) => void): void;
  stop(): void;
}

/** The write error of a socket, and the callback for it. */
interface WriteState {
  error?: Error;
  callback?: (error: Error) => void;
}

/**
 * Creates the agents: keep-alive connections, at least TLS 1.2, certificates always verified whatever the environment
 * says.
 */
export function createPutAgents(options: SocketOptions): PutAgents {
  const states = new WeakMap<Duplex, WriteState>();
  const shared = {
    keepAlive: true,
    maxSockets: options.maxSockets,
    maxFreeSockets: options.maxSockets,
    scheduling: 'lifo' as const,
    timeout: KEEP_ALIVE_MS,
  };
  const plain = new HttpAgent(shared);
  const secure = new HttpsAgent({
    ...shared,
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
    ...(options.ca === undefined ? {} : { ca: [options.ca].flat() }),
  });
  for (const agent of [plain, secure]) keepReadingAfterWriteErrors(agent, states);
  // On top of that, so that connections through a tunnel keep reading as well
  if (options.route !== undefined) connectThrough(secure, options.route);
  return {
    agentFor: (url) => (url.protocol === 'https:' ? secure : plain),
    onWriteError(request, callback) {
      request.once('socket', (socket) => {
        const state = states.get(socket);
        if (state === undefined) return;
        state.callback = callback;
        if (state.error !== undefined) callback(state.error);
      });
    },
    stop() {
      plain.destroy();
      secure.destroy();
    },
  };
}

function keepReadingAfterWriteErrors(agent: HttpAgent, states: WeakMap<Duplex, WriteState>): void {
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (options, callback) => {
    const socket = connect(options, callback);
    if (socket) states.set(socket, holdWriteErrors(socket));
    return socket;
  };
}

/**
 * If a server answers early and closes, the next write fails, and Node then destroys the socket along with the answer
 * in its receive buffer. Here a failed write counts as done: the sender is notified and stops, and the socket continues
 * to read until the answer, the end or the grace time.
 */
function holdWriteErrors(socket: Duplex): WriteState {
  const state: WriteState = {};
  const held = (done: (error?: Error | null) => void) => (error?: Error | null) => {
    if (!error || isConnecting(socket)) return done(error);
    state.error = error;
    state.callback?.(error);
    done();
  };
  const write = socket._write.bind(socket);
  socket._write = (chunk, encoding, done) => write(chunk, encoding, held(done));
  const writeMany = socket._writev?.bind(socket);
  if (writeMany !== undefined) socket._writev = (chunks, done) => writeMany(chunks, held(done));
  return state;
}

function isConnecting(socket: Duplex & Partial<Pick<Socket, 'connecting'>>): boolean {
  return socket.connecting === true;
}
