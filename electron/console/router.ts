import type { Logger } from '../agent/index.ts';
import { sendJson, sendText, type Exchange } from './answer.ts';
import type { EventStreams } from './event-streams.ts';
import type { LaunchCodes } from './launch-codes.ts';
import { readJsonBody } from './read-json-body.ts';
import { readPath } from './read-path.ts';
import type { Refusal } from './refusal.ts';
import { serveAsset } from './serve-asset.ts';
import type { Calls } from './serve-calls.ts';
import { readSessionCookies, writeSessionCookie } from './session-cookie.ts';
import type { Session, Sessions } from './sessions.ts';

/** The header in which a page shows the token of its session. */
const TOKEN_HEADER = 'x-console-token';

/** What the addresses lead to. */
export interface RouterParts {
  readonly assetsDir: string;
  readonly codes: LaunchCodes;
  readonly sessions: Sessions;
  readonly calls: Calls;
  readonly streams: EventStreams;
  readonly logger: Logger;
}

/** Answers a request that passed the guard, or says why it is refused. */
export type Router = (exchange: Exchange, port: number) => Promise<Refusal | undefined>;

export function createRouter(parts: RouterParts): Router {
  const { assetsDir, codes, sessions, calls, streams, logger } = parts;

  return async (exchange, port) => {
    const { request, response } = exchange;
    const path = readPath(request.url ?? '');
    if (!path.ok) return path.error;
    const secrets = readSessionCookies(request.headers.cookie, port);
    const [first = '', second, third] = path.value;
    if (first === 'launch' && second !== undefined && third === undefined)
      return only('GET', request.method) ?? launch(exchange, second, secrets, port);

    const session = sessions.find(secrets);
    switch (path.value.join('/')) {
      case 'session':
        return only('POST', request.method) ?? admit(session) ?? giveToken(exchange, session);
      case 'call':
        return only('POST', request.method) ?? admitPage(exchange, session) ?? calls.serve(exchange);
      case 'events':
        return only('GET', request.method) ?? admitPage(exchange, session) ?? streams.serve(response, session);
      default:
        if (request.method === 'POST') return onlyRead;
        if (session === undefined) return first === '' ? noSessionPage : noSession;
        return serveAsset(exchange, assetsDir, path.value);
    }
  };
}
