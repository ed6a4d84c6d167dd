import { createServer, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Failure } from '../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../shared/lib/result.ts';
import { rawRefusal, type Exchange } from './exchange.ts';
import type { ServerLimits } from './limits.ts';
import { describeBadRequest, type Refusal } from './refusal.ts';

/** The one address: whoever sits elsewhere comes through a tunnel of their own. */
const LOOPBACK = '127.0.0.1';

export interface ServerOptions {
  /** 0: any that is free. */
  readonly port: number;
  readonly limits: ServerLimits;
  /** Answers every request; must not reject. */
  readonly serve: (exchange: Exchange, port: number) => void;
  /** Called with what was refused before it became a request. */
  readonly onRefused: (refusal: Refusal) => void;
}

/** A listening server. */
export interface OpenServer {
  readonly port: number;
  /** Ends every connection, whatever is under way on it. */
  close(): Promise<void>;
}

/** Opens the HTTP server on the loopback address. Errors: PORT_IN_USE. */
export async function openServer(options: ServerOptions): Promise<Result<OpenServer, Failure>> {
  const server = createLimitedServer(options.limits);
  const answers = trackAnswers(server);
  server.on('request', (request, response) => options.serve({ request, response }, portOf(server)));
  server.on('checkExpectation', (request, response) => options.serve({ request, response }, portOf(server)));
  server.on('drop', () => options.onRefused(tooManySockets));
  server.on('connect', (_request, socket) => {
    options.onRefused(noTunnel);
    endWith(socket, noTunnel);
  });
  server.on('clientError', (error, socket) => {
    const refusal = describeBadRequest(error);
    // Half an answer cannot be taken back
    if (refusal === undefined || !socket.writable || answers.isUnderWay(socket)) return void socket.destroy();
    options.onRefused(refusal);
    endWith(socket, refusal);
  });
  const failure = await listen(server, options.port);
  if (failure !== undefined) return err(failure);
  return ok({ port: portOf(server), close: () => close(server) });
}

const tooManySockets: Refusal = { status: 429, text: 'Too many connections are open.' };
const noTunnel: Refusal = { status: 405, text: 'The console is no proxy.', allow: 'GET, HEAD, POST' };

function createLimitedServer(limits: ServerLimits): Server {
  const server = createServer({
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    connectionsCheckingInterval: limits.checkEveryMs,
    keepAliveTimeout: limits.keepAliveMs,
    insecureHTTPParser: false,
    // Refused by the guard, with the headers of every answer
    requireHostHeader: false,
  });
  server.maxConnections = limits.sockets;
  server.setTimeout(limits.silenceMs);
  return server;
}

/** Which sockets have an answer on its way: a second one must not be written between its bytes. */
function trackAnswers(server: Server): { isUnderWay(socket: Duplex): boolean } {
  const bySocket = new WeakMap<Duplex, Set<ServerResponse>>();
  server.on('request', ({ socket }, response) => {
    const answers = bySocket.get(socket) ?? new Set();
    bySocket.set(socket, answers.add(response));
    response.once('close', () => answers.delete(response));
  });
  return {
    isUnderWay: (socket) => [...(bySocket.get(socket) ?? [])].some((response) => response.headersSent),
  };
}

function endWith(socket: Duplex, refusal: Refusal): void {
  // Node has let go of the socket of a CONNECT: an error on it would end the program
  socket.on('error', () => undefined);
  socket.end(rawRefusal(refusal), () => socket.destroy());
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('The console does not listen on a port');
  return address.port;
}

function listen(server: Server, port: number): Promise<Failure | undefined> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(portFailure(port, error));
      else reject(error);
    });
    server.listen({ port, host: LOOPBACK }, () => resolve(undefined));
  });
}

function portFailure(port: number, { code, message }: NodeJS.ErrnoException): Failure {
  return {
    code: 'PORT_IN_USE',
    message:
      code === 'EACCES'
        ? `The system keeps port ${port} from this account.`
        : `Port ${port} is in use by another program.`,
    advice: 'Give the console another port.',
    retryable: false,
    detail: message,
  };
}

async function close(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
