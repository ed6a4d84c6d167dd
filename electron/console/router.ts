import { createNativeWords } from '../../shared/words/native-words.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { open, type FileHandle } from 'node:fs/promises';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Agent, confirmationOf } from '../agent/index.ts';
import type { EventStreams } from './event-streams.ts';
import { readJsonBody, sendJson, type Exchange, MAX_CALLS_IN_FLIGHT } from './exchange.ts';
import { readPath, findAsset, securityHeaders } from './page-files.ts';
import { type ServeLaunch, readSessionCookies, type Session, type Sessions } from './sessions.ts';
import { type Questions, notConfirmedYet } from './questions.ts';
import { onlyBy, type Refusal } from './guard.ts';
import type { CallReply } from '../../shared/ipc/envelope.ts';

/** The header with the token of a page's session. */
const TOKEN_HEADER = 'x-console-token';

/** The handlers behind the addresses. */
export interface RouterDeps {
  readonly assetsDir: string;
  readonly sessions: Sessions;
  readonly launch: ServeLaunch;
  readonly calls: CallRoute;
  readonly questions: Pick<Questions, 'serve'>;
  readonly streams: EventStreams;
  readonly playClip: PlayClip;
  /** Called with the socket of each request that has a session. */
  readonly onKnown: (socket: Duplex) => void;
}

/** Reads one piece of a clip, by the ticket in its address. */
export type PlayClip = Agent['playClip'];

/** Answers a request that passed the guard, or says why it is refused. */
export type Router = (exchange: Exchange, port: number) => Promise<Refusal | undefined>;

/** One address for the scripts of the pages. */
interface Route {
  readonly method: 'GET' | 'POST';
  /** The cookie alone only gives access to the token. */
  readonly needsToken: boolean;
  serve(exchange: Exchange, session: Session): Refusal | undefined | Promise<Refusal | undefined>;
}

export function createRouter(deps: RouterDeps): Router {
  const { assetsDir, sessions, launch, calls, questions, streams, onKnown, playClip } = deps;
  const routes: ReadonlyMap<string, Route> = new Map<string, Route>([
    ['session', { method: 'POST', needsToken: false, serve: giveToken }],
    [
      'call',
      { method: 'POST', needsToken: true, serve: (exchange, session) => calls.serve(exchange, session) },
    ],
    [
      'events',
      { method: 'GET', needsToken: true, serve: ({ response }, session) => streams.serve(response, session) },
    ],
  ]);

  return async (exchange, port) => {
    const { request } = exchange;
    const path = readPath(request.url ?? '');
    if (!path.ok) return path.error;
    const secrets = readSessionCookies(request.headers.cookie, port);
    const [first, code, more] = path.value;
    if (first === 'launch' && code !== undefined && more === undefined)
      return request.method === 'GET' ? launch(exchange, { code, secrets, port }) : onlyBy('GET');

    const session = sessions.find(secrets);
    if (session !== undefined) onKnown(request.socket);
    if (first === 'clip' && code !== undefined && more === undefined)
      return serveClip(exchange, { ticket: code, session, playClip });
    if (first === 'confirm') return questions.serve(exchange, path.value.slice(1), session);
    const route = routes.get(path.value.join('/'));
    if (route !== undefined) return serveRoute(route, exchange, session);
    if (request.method === 'POST') return onlyBy('GET, HEAD');
    if (session !== undefined) return serveAsset(exchange, assetsDir, path.value);
    return first === undefined ? noSessionPage : noSession;
  };
}

async function serveRoute(
  route: Route,
  exchange: Exchange,
  session: Session | undefined,
): Promise<Refusal | undefined> {
  if (exchange.request.method !== route.method) return onlyBy(route.method);
  if (session === undefined) return noSession;
  if (route.needsToken && !showsToken(exchange.request, session)) return noToken;
  const waitMs = session.takeTurn();
  if (waitMs > 0)
    return { status: 429, text: 'Too many requests at once.', retryAfterSeconds: Math.ceil(waitMs / 1000) };
  return route.serve(exchange, session);
}

/** A player cannot send the token of its page: the ticket in the address comes from a call that did. */
async function serveClip(
  { request, response }: Exchange,
  asked: { readonly ticket: string; readonly session: Session | undefined; readonly playClip: PlayClip },
): Promise<Refusal | undefined> {
  const { ticket, session, playClip } = asked;
  if (session === undefined) return noSession;
  if (session.takeTurn() > 0)
    return { status: 429, text: 'Too many requests at once.', retryAfterSeconds: 1 };
  const left = new AbortController();
  response.once('close', () => left.abort(new Error('The player left')));
  try {
    const { method = '', headers } = request;
    const answer = await playClip({ ticket, method, range: headers.range }, left.signal);
    response.writeHead(answer.status, { ...securityHeaders, ...answer.headers });
    response.end(answer.bytes);
  } catch (error) {
    if (!left.signal.aborted) throw error;
  }
  return undefined;
}

/** `POST /session`: gives the first page of a session its token. A reloaded page still has it, or never had it. */
async function giveToken({ request, response }: Exchange, session: Session): Promise<Refusal | undefined> {
  const body = await readJsonBody(request);
  if (!body.ok) return body.error;
  const token = session.takeToken();
  if (token === undefined) return tokenTaken;
  sendJson(response, 200, { token });
  return undefined;
}

function showsToken({ headersDistinct }: IncomingMessage, session: Session): boolean {
  const [token, second] = headersDistinct[TOKEN_HEADER] ?? [];
  return token !== undefined && second === undefined && session.acceptToken(token);
}

const tokenTaken: Refusal = { status: 401, text: 'Another page already uses this session.' };
const noSession: Refusal = { status: 401, text: 'This browser has no session.' };
const noToken: Refusal = { status: 401, text: "The request does not contain its session's token." };
const noSessionPage: Refusal = { status: 403, text: 'This browser has no session.', isPage: true };

/** A year: a file with its hash in its name is never requested again. */
const FIXED = 'private, max-age=31536000, immutable';

/** Serves one file of the pages, or says that there is none; `GET` and `HEAD`. */
async function serveAsset(
  { request, response }: Exchange,
  assetsDir: string,
  segments: readonly string[],
): Promise<Refusal | undefined> {
  const asset = await findAsset(assetsDir, segments);
  const handle = asset && (await open(asset.file).catch(() => undefined));
  if (asset === undefined || handle === undefined) return notFound;
  try {
    const { size, isFile } = await factsOf(handle);
    if (!isFile) return notFound;
    response.writeHead(200, {
      ...securityHeaders,
      'content-type': asset.type,
      'content-length': size,
      ...(asset.isFixed && { 'cache-control': FIXED }),
    });
    if (request.method === 'HEAD' || size === 0) response.end();
    else await send(handle, size, response);
    return undefined;
  } finally {
    await handle.close();
  }
}

async function factsOf(handle: FileHandle): Promise<{ readonly size: number; readonly isFile: boolean }> {
  const facts = await handle.stat();
  return { size: facts.size, isFile: facts.isFile() };
}

/** A reader that leaves halfway is not an error; its response is destroyed with the stream. */
async function send(handle: FileHandle, size: number, response: ServerResponse): Promise<void> {
  const bytes = handle.createReadStream({ end: size - 1, autoClose: false });
  await pipeline(bytes, response).catch(() => undefined);
}

const notFound: Refusal = { status: 404, text: 'There is nothing at this address.' };

/** The header with the ID of the question that a call waits for. */
const QUESTION_HEADER = 'x-console-question';

/** Answers a request of the contract (shared/ipc), which the agent validates. Rejects only for bugs. */
export type AgentCall = (request: unknown, signal: AbortSignal) => Promise<CallReply>;

/**
 * `POST /call`: the windows' contract over HTTP. A failure is a reply like any other, with status 200. A call that a
 * person has to confirm is answered with 428 and the question, and is carried out when the page has repeated it with
 * the question's ID and the person has agreed (questions.ts).
 */
interface CallRoute {
  serve(exchange: Exchange, session: Session): Promise<Refusal | undefined>;
  /** Aborts the calls in progress. */
  stop(): void;
}

export function createCallRoute(call: AgentCall, questions: Pick<Questions, 'consent'>): CallRoute {
  const stopping = new AbortController();
  const { say } = createNativeWords();
  let inFlight = 0;

  async function isConsented(
    { request, response }: Exchange,
    asked: { readonly session: Session; readonly request: unknown },
    signal: AbortSignal,
  ): Promise<boolean> {
    const id = request.headersDistinct[QUESTION_HEADER]?.[0];
    const confirm = () => confirmationOf(asked.request, { call }, say, signal);
    const consent = await questions.consent({ ...asked, id }, confirm, signal);
    if (consent.kind === 'given') return true;
    if (signal.aborted) return false;
    if (consent.kind === 'refused') sendJson(response, 200, { ok: false, error: consent.failure });
    else sendJson(response, 428, { ok: false, error: notConfirmedYet, question: consent });
    return false;
  }

  async function carryOut({ response }: Exchange, request: unknown, signal: AbortSignal) {
    if (inFlight >= MAX_CALLS_IN_FLIGHT) return busy;
    inFlight += 1;
    try {
      const reply = await call(request, signal).catch((error: unknown) => {
        if (signal.aborted) return undefined;
        throw error;
      });
      if (reply !== undefined) sendJson(response, 200, reply);
      return undefined;
    } finally {
      inFlight -= 1;
    }
  }

  async function serve(exchange: Exchange, session: Session): Promise<Refusal | undefined> {
    const body = await readJsonBody(exchange.request);
    if (!body.ok) return body.error;
    const signal = AbortSignal.any([stopping.signal, whenGone(exchange.response)]);
    const isFree = await isConsented(exchange, { session, request: body.value }, signal);
    return isFree ? carryOut(exchange, body.value, signal) : undefined;
  }

  return { serve, stop: () => stopping.abort(new Error('The console was stopped')) };
}

const busy: Refusal = { status: 429, text: 'The agent is busy.', retryAfterSeconds: 1 };

/** Aborted when the client leaves before it has its answer. */
function whenGone(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  const leave = (): void => {
    if (!response.writableFinished) gone.abort(new Error('The page was closed'));
  };
  if (response.destroyed) leave();
  else response.once('close', leave);
  return gone.signal;
}
