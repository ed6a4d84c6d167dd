import { EventEmitter } from 'node:events';
import { request as requestPlain } from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { request as requestSecure } from 'node:https';
import { PassThrough, Readable } from 'node:stream';
import { strict } from './strict.ts';

type Options = Electron.ClientRequestConstructorOptions;

/** Chromium's network for packages: sessions by name, each with its own connections. */
export interface DoubleNet {
  readonly net: Electron.Net;
  readonly session: typeof Electron.Session;
}

export function createNet(): DoubleNet {
  const sessions = new Map<string, Electron.Session>();
  return {
    net: strict<Electron.Net>('net', {
      request(options) {
        if (typeof options === 'string' || options.session === undefined)
          throw new Error('electron-double wants a session for each request.');
        return openRequest(options);
      },
    }),
    session: strict<typeof Electron.Session>('session', {
      fromPartition(partition) {
        const known = sessions.get(partition) ?? createNetSession();
        sessions.set(partition, known);
        return known;
      },
    }),
  };
}

/** Functions that end a session's open requests. */
const underWay = new WeakMap<Electron.Session, Set<(error: Error) => void>>();

function createNetSession(): Electron.Session {
  const ends = new Set<(error: Error) => void>();
  const session: Electron.Session = strict<Electron.Session>('session', {
    async closeAllConnections() {
      for (const end of ends) end(new Error('net::ERR_ABORTED'));
    },
    fetch: (input, init) => fetchWith(session, new Request(input, init)),
  });
  underWay.set(session, ends);
  return session;
}

/** Like Electron: a request of its own kind, whose answer becomes a `Response`. */
function fetchWith(session: Electron.Session, wanted: Request): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const request = openRequest({ url: wanted.url, method: wanted.method, session, redirect: wanted.redirect });
  request.on('error', reject);
  request.on('response', (answer) => {
    const { statusCode: status, statusMessage: statusText } = answer;
    resolve(new Response(Readable.toWeb(answer as unknown as Readable), { status, statusText }));
  });
  request.end();
  return promise;
}

/** The answer, which is a stream in Electron too. */
class NetResponse extends PassThrough {
  readonly statusCode: number;
  readonly statusMessage: string;
  readonly headers: IncomingMessage['headers'];

  constructor({ statusCode = 0, statusMessage = '', headers }: IncomingMessage) {
    super();
    this.statusCode = statusCode;
    this.statusMessage = statusMessage;
    this.headers = headers;
  }
}

function addressOf({ url, protocol = 'http:', hostname = 'localhost', port, path = '/' }: Options): URL {
  return new URL(url ?? `${protocol}//${hostname}${port === undefined ? '' : `:${port}`}${path}`);
}

function openRequest(options: Options): Electron.ClientRequest {
  const { method = 'GET', headers = {}, redirect = 'follow', session } = options;
  const events = new EventEmitter();
  let current: ClientRequest | undefined;
  let response: NetResponse | undefined;
  let isOver = false;
  let isFollowed = false;

  function close(): void {
    isOver = true;
    events.emit('close');
  }
  function die(error?: Error): void {
    if (isOver) return;
    isOver = true;
    current?.destroy();
    response?.destroy(error);
    if (error !== undefined) events.emit('error', error);
    close();
  }
  /** The listener may abort the redirect, follow it, or ignore it. */
  function turn(statusCode: number, next: URL): void {
    if (redirect === 'error') return die(new Error("Attempted to redirect, but redirect policy was 'error'"));
    isFollowed = redirect === 'follow';
    events.emit('redirect', statusCode, method, next.href, {});
    if (isOver) return;
    if (isFollowed) send(next);
    else die(new Error('Redirect was cancelled'));
  }
  function pass(answer: IncomingMessage): void {
    response = new NetResponse(answer);
    answer.on('error', () => die(new Error('net::ERR_CONTENT_LENGTH_MISMATCH')));
    answer.on('end', close);
    answer.pipe(response);
    events.emit('response', response);
  }
  function send(url: URL): void {
    const open = url.protocol === 'https:' ? requestSecure : requestPlain;
    current = open(url, { method, headers });
    current.on('error', ({ message }) => die(new Error(`net::ERR_FAILED ${message}`)));
    current.on('response', (answer) => {
      const { statusCode = 0, headers: told } = answer;
      if (statusCode < 300 || statusCode > 399 || told.location === undefined) return pass(answer);
      answer.resume();
      turn(statusCode, new URL(told.location, url));
    });
    current.end();
  }

  const request: Electron.ClientRequest = strict<Electron.ClientRequest>(
    'ClientRequest',
    {
      abort: () => die(),
      followRedirect: () => void (isFollowed = true),
      end() {
        send(addressOf(options));
        return request;
      },
    },
    events,
  );
  const ends = session && underWay.get(session);
  ends?.add(die);
  events.once('close', () => ends?.delete(die));
  return request;
}
