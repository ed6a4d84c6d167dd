/*
 * The console: the pages of the desktop app for a browser on this machine, over HTTP on 127.0.0.1.
 * A request passes the guard (host, method, origin, body), then the router, which requires a session. A session is
 * opened by a launch address that works once; its token proves each call. Calls go to the agent as the contract of
 * shared/ipc, its signals come back as server-sent events.
 * Nothing here listens on another address, answers another origin, or logs a launch address.
 * The desktop app uses only page-files.ts of this folder.
 */
import type { Failure } from '../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../shared/lib/result.ts';
import type { Clock, Logger } from '../agent/index.ts';
import { createEventStreams, type SignalSource } from './event-streams.ts';
import { refuse, type Exchange, rawRefusal, usualLimits, type ServerLimits } from './exchange.ts';
import { findBuiltPages } from './page-files.ts';
import { inspectRequest, createRefusalLog, type Refusal, describeBadRequest } from './guard.ts';
import { createLaunchCodes, createServeLaunch, createSessions } from './sessions.ts';
import { createQuestions } from './questions.ts';
import { createRouter, type PlayClip, createCallRoute, type AgentCall } from './router.ts';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** What the console needs from its host. */
export interface ConsoleOptions {
  /** 0: any free port. */
  readonly port: number;
  /** Folder of the built pages, with its index.html. */
  readonly assetsDir: string;
  readonly agent: {
    readonly call: AgentCall;
    readonly signals: SignalSource;
    readonly playClip: PlayClip;
    noteSignIn(): void;
  };
  readonly clock: Clock;
  readonly logger: Logger;
  readonly limits?: ServerLimits;
}

/** The web console: the pages of the desktop app in a browser on this machine. */
export interface Console {
  readonly port: number;
  readonly origin: string;
  /** A new address that opens the console once, within 60 s; earlier ones stop working. Never log it. */
  createLaunchUrl(): string;
  /** Ends streams, calls, sessions and sockets. */
  stop(): Promise<void>;
}

/** Starts the console on 127.0.0.1, the only possible address. Errors: PORT_IN_USE. */
export async function startConsole(options: ConsoleOptions): Promise<Result<Console, Failure>> {
  const { port, assetsDir, agent, clock, logger, limits = usualLimits } = options;
  const codes = createLaunchCodes(clock);
  const sessions = createSessions(clock);
  const questions = createQuestions(clock);
  const calls = createCallRoute((request, signal) => agent.call(request, signal), questions);
  const streams = createEventStreams(agent.signals, clock);
  const refusals = createRefusalLog(logger, clock);
  const launch = createServeLaunch(codes, sessions, () => {
    logger.info('The console was opened in a browser.');
    agent.noteSignIn();
  });
  const known = new WeakSet<Duplex>();
  const onKnown = (socket: Duplex): void => void known.add(socket);
  const route = createRouter({
    assetsDir,
    sessions,
    launch,
    calls,
    questions,
    streams,
    onKnown,
    playClip: (request, signal) => agent.playClip(request, signal),
  });

  async function answer(exchange: Exchange, ownPort: number): Promise<void> {
    const refusal = inspectRequest(factsOf(exchange), ownPort) ?? (await route(exchange, ownPort));
    if (refusal === undefined) return;
    refusals.note(refusal);
    refuse(exchange, refusal);
  }

  const opened = await openServer({
    port,
    limits,
    isKnown: (socket) => known.has(socket),
    onRefused: refusals.note,
    serve(exchange, ownPort) {
      answer(exchange, ownPort).catch((error: unknown) => {
        logger.error('The console could not handle a request.', { error });
        answerFault(exchange);
      });
    },
  });
  if (!opened.ok) return opened;

  const origin = `http://127.0.0.1:${opened.value.port}`;
  return ok({
    port: opened.value.port,
    origin,
    createLaunchUrl: () => `${origin}/launch/${codes.create()}`,
    async stop() {
      calls.stop();
      sessions.endAll();
      await opened.value.close();
    },
  });
}

function factsOf({ request }: Exchange) {
  return { method: request.method ?? '', target: request.url ?? '', headers: request.headersDistinct };
}

function answerFault(exchange: Exchange): void {
  const fault: Refusal = {
    status: 500,
    text: 'The console could not handle this request. See the program log for the reason.',
  };
  if (exchange.response.headersSent) exchange.response.destroy();
  else refuse(exchange, fault);
}

/** `startConsole` with the pages that were built with this program. Errors: also PAGES_MISSING. */
export async function startBuiltConsole(
  options: Omit<ConsoleOptions, 'assetsDir'>,
): Promise<Result<Console, Failure>> {
  const assetsDir = findBuiltPages();
  return assetsDir === undefined ? err(pagesMissing) : startConsole({ ...options, assetsDir });
}

const pagesMissing: Failure = {
  code: 'PAGES_MISSING',
  message: "The console's pages are not built, so the agent runs without it.",
  advice: 'In a checkout, run npm run build, then start the agent again.',
  retryable: false,
};

/** The only address: another machine connects through a tunnel. */
const LOOPBACK = '127.0.0.1';

interface ServerOptions {
  /** 0: any free port. */
  readonly port: number;
  readonly limits: ServerLimits;
  /** Whether the socket's client has a session. */
  readonly isKnown: (socket: Duplex) => boolean;
  /** Answers every request; must not reject. */
  readonly serve: (exchange: Exchange, port: number) => void;
  /** Called with refusals from before there was a request. */
  readonly onRefused: (refusal: Refusal) => void;
}

/** A listening server. */
interface OpenServer {
  readonly port: number;
  /** Ends every connection, even those in use. */
  close(): Promise<void>;
}

/** Opens the HTTP server on the loopback address. Errors: PORT_IN_USE. */
async function openServer(options: ServerOptions): Promise<Result<OpenServer, Failure>> {
  const server = createLimitedServer(options.limits);
  const answers = trackAnswers(server);
  keepRoom(server, options);
  server.on('request', (request, response) => options.serve({ request, response }, portOf(server)));
  server.on('checkExpectation', (request, response) => options.serve({ request, response }, portOf(server)));
  server.on('drop', () => options.onRefused(tooManySockets));
  server.on('connect', (_request, socket) => {
    options.onRefused(noTunnel);
    endWith(socket, noTunnel);
  });
  server.on('clientError', (error, socket) => {
    const refusal = describeBadRequest(error);
    // Half a response cannot be taken back
    if (refusal === undefined || !socket.writable || answers.isUnderWay(socket)) return void socket.destroy();
    options.onRefused(refusal);
    endWith(socket, refusal);
  });
  const failure = await listen(server, options.port);
  if (failure !== undefined) return err(failure);
  return ok({ port: portOf(server), close: () => close(server) });
}

const tooManySockets: Refusal = { status: 429, text: 'Too many connections are open.' };

const noTunnel: Refusal = { status: 405, text: 'The console is not a proxy.', allow: 'GET, HEAD, POST' };

function createLimitedServer(limits: ServerLimits): Server {
  const server = createServer({
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    connectionsCheckingInterval: limits.checkEveryMs,
    keepAliveTimeout: limits.keepAliveMs,
    insecureHTTPParser: false,
    // The guard refuses it, with the headers of every response
    requireHostHeader: false,
  });
  server.maxConnections = limits.sockets;
  server.setTimeout(limits.silenceMs);
  return server;
}

/**
 * Another program on this machine can open sockets and stay silent. When they run out, the oldest one without a session
 * is closed, so that a person with a launch address always gets in; one with a session never is.
 */
function keepRoom(server: Server, { limits, isKnown }: Pick<ServerOptions, 'limits' | 'isKnown'>): void {
  const open = new Set<Duplex>();
  server.on('connection', (socket: Duplex) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    if (open.size < limits.sockets) return;
    for (const each of open)
      if (!isKnown(each) && each !== socket) {
        open.delete(each);
        each.destroy();
        return;
      }
  });
}

/** Tracks which sockets have a response in progress: another one must not be written between its bytes. */
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
  // Node no longer handles the socket of a CONNECT: an error on it would end the program
  socket.on('error', () => undefined);
  socket.end(rawRefusal(refusal), () => socket.destroy());
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('The console is not listening on a port');
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
        ? `The system does not let this account use port ${port}.`
        : `Port ${port} is in use by another program.`,
    advice: 'Choose a different port for the console.',
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
