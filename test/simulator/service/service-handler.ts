import { refusal, type Answer } from '../http/answer.ts';
import type { Exchange } from '../http/exchange.ts';
import { readBody } from '../http/read-body.ts';
import { carryOut, type FaultContext } from '../faults/carry-out.ts';
import type { KnownKey } from '../settings.ts';
import { checkKey } from './check-key.ts';
import { checkQuery, readJson } from './check-input.ts';
import { findRoute, type Route, type RouteMatch, type ServiceContext, type ServiceRequest } from './route.ts';
import { serviceRoutes } from './routes.ts';

export interface ServiceHandlerContext extends ServiceContext, FaultContext {
  readonly keys: () => readonly KnownKey[];
}

/** Answers one request to the service: body, active rules, key, input, endpoint. */
export async function serveRequest(exchange: Exchange, context: ServiceHandlerContext): Promise<void> {
  const { request, url, entry } = exchange;
  const match = findRoute(serviceRoutes, request.method ?? '', url.pathname, context.settings);
  const bytes = await readBody(exchange);
  if (bytes === undefined) {
    if (!exchange.signal.aborted) request.socket.destroy();
    return;
  }
  entry.body = bytes.length > 0 ? parseLoosely(bytes) : undefined;
  if (match.kind === 'found') describe(match, exchange);
  await carryOut(exchange, async () => answerRequest(exchange, match, bytes, context), context);
}

function describe(match: Extract<RouteMatch, { kind: 'found' }>, { request, url, entry }: Exchange): void {
  entry.call = match.route.call;
  const asked = { path: match.path, query: url.searchParams, origin: originOf(request), body: entry.body };
  match.route.describe?.(asked, entry);
}

async function answerRequest(
  { request, url }: Exchange,
  match: RouteMatch,
  bytes: Buffer,
  context: ServiceHandlerContext,
): Promise<Answer> {
  if (match.kind === 'unknown') return refusal(404, 'There is no such endpoint.');
  if (match.kind === 'wrong-method') {
    const answer = refusal(405, `This endpoint does not take ${request.method}.`);
    return { ...answer, headers: { ...answer.headers, allow: match.allowed.join(', ') } };
  }
  const { route, path } = match;
  const placement = context.settings.keyPlacement;
  const query = url.searchParams;
  const refused =
    checkKey(request, query, route.needsVideoPermission, { keys: context.keys(), placement }) ??
    checkQuery(route, query, placement);
  if (refused) return refused;
  return handle(
    route,
    { path, query, origin: originOf(request), body: undefined },
    { request, bytes, context },
  );
}

async function handle(
  route: Route,
  request: ServiceRequest,
  received: { request: Exchange['request']; bytes: Buffer; context: ServiceContext },
): Promise<Answer> {
  if (route.method === 'GET' || route.method === 'DELETE') {
    if (received.bytes.length > 0) return refusal(400, `${route.method} takes no body.`);
    return route.handle(request, received.context);
  }
  const body = readJson(received.request, received.bytes);
  return body.ok ? route.handle({ ...request, body: body.value }, received.context) : body.error;
}

function originOf({ headers }: Exchange['request']): string {
  return `http://${headers.host ?? 'localhost'}`;
}

/** The body for the log and for rules: parsed if it is JSON, otherwise its text. */
function parseLoosely(bytes: Buffer): unknown {
  const text = bytes.toString('utf8');
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
