/*
 * The console: the pages of the desktop app for a browser on this machine, over HTTP on 127.0.0.1.
 * A request passes the guard (host, method, origin, body), then the router, which asks for a session. A session is
 * opened by a launch address that works once; its token proves each call. Calls go to the agent as the contract of
 * shared/ipc, its signals come back as server-sent events.
 * Nothing here listens on another address, answers another origin, or logs a launch address.
 * The desktop app uses find-asset.ts and security-headers.ts of this room, and nothing else.
 */
import type { Failure } from '../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../shared/lib/result.ts';
import type { Clock, Logger } from '../agent/index.ts';
import { createEventStreams, type SignalSource } from './event-streams.ts';
import { refuse, type Exchange } from './exchange.ts';
import { findBuiltPages } from './find-asset.ts';
import { inspectRequest } from './guard.ts';
import { createLaunchCodes, createServeLaunch } from './launch.ts';
import { usualLimits, type ServerLimits } from './limits.ts';
import { openServer } from './open-server.ts';
import { createRefusalLog, type Refusal } from './refusal.ts';
import { createRouter } from './router.ts';
import { createCalls, type AgentCall } from './serve-calls.ts';
import { createSessions } from './sessions.ts';

/** What the console needs of its host. */
export interface ConsoleOptions {
  /** 0: any that is free. */
  readonly port: number;
  /** Folder of the built pages, with its index.html. */
  readonly assetsDir: string;
  readonly agent: { readonly call: AgentCall; readonly signals: SignalSource };
  readonly clock: Clock;
  readonly logger: Logger;
  readonly limits?: ServerLimits;
}

/** The web console: the pages of the desktop app in a browser of this machine. */
export interface Console {
  readonly port: number;
  readonly origin: string;
  /** A new address that opens the console once, within 60 s; earlier ones open nothing any more. Never log it. */
  createLaunchUrl(): string;
  /** Ends streams, calls, sessions and sockets. */
  stop(): Promise<void>;
}

/** Starts the console on 127.0.0.1; there is no other address to be had. Errors: PORT_IN_USE. */
export async function startConsole(options: ConsoleOptions): Promise<Result<Console, Failure>> {
  const { port, assetsDir, agent, clock, logger, limits = usualLimits } = options;
  const codes = createLaunchCodes(clock);
  const sessions = createSessions(clock);
  const calls = createCalls((request, signal) => agent.call(request, signal));
  const streams = createEventStreams(agent.signals, clock);
  const refusals = createRefusalLog(logger, clock);
  const launch = createServeLaunch(codes, sessions, logger);
  const route = createRouter({ assetsDir, sessions, launch, calls, streams });

  async function answer(exchange: Exchange, ownPort: number): Promise<void> {
    const refusal = inspectRequest(factsOf(exchange), ownPort) ?? (await route(exchange, ownPort));
    if (refusal === undefined) return;
    refusals.note(refusal);
    refuse(exchange, refusal);
  }

  const opened = await openServer({
    port,
    limits,
    onRefused: refusals.note,
    serve(exchange, ownPort) {
      answer(exchange, ownPort).catch((error: unknown) => {
        logger.error('The console failed on a request.', { error });
        failHonestly(exchange);
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

function failHonestly(exchange: Exchange): void {
  const fault: Refusal = { status: 500, text: 'The console failed on this request. The log has the reason.' };
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
  message: 'The pages of the console are not built; the agent runs without it.',
  advice: 'In a checkout: npm run build. Then start again.',
  retryable: false,
};
