import { Agent as HttpAgent, type ClientRequest } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { LookupFunction, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Clock } from '../ports.ts';
import { connectThrough, type ProxyRoute } from './proxy-route.ts';

/** Connections without work are closed after this long, milliseconds: before the usual 20 s of storage servers. */
const KEEP_ALIVE_MS = 15_000;

/** What the sockets need to know. */
interface SocketOptions {
  readonly maxSockets: number;
  /** Certificates that are trusted instead of Node's own list. */
  readonly ca?: string | readonly string[];
  /** Default: straight to storage. */
  readonly route?: ProxyRoute;
}

/** What the client is made of. Time-outs default to the figures above. */
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
  /** Calls back when a write of this request's socket failed, now or later. */
  onWriteError(request: ClientRequest, callback: (error: Error) => void): void;
  stop(): void;
}

/** The write error of a socket, and who wants to hear of it. */
interface WriteState {
  error?: Error;
  callback?: (error: Error) => void;
}

/** Makes the agents: kept-alive connections, TLS 1.2 at least, certificates always verified whatever the environment says. */
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
  // Over the others, so that what runs through a tunnel reads on as well
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
 * A server that answers early and closes makes the next write fail, and Node then destroys the socket together
 * with the answer that lies in its receive buffer. Here a failed write counts as done; the sender learns of it and
 * stops, and the socket goes on reading until the answer, the end or the grace time.
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
