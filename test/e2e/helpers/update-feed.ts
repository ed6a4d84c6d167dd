import { readFileSync } from 'node:fs';
import { createServer as createPlainServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** The feed's answer to a request for one of its files. */
export type FeedAnswer =
  | { readonly kind: 'file'; readonly body: Buffer }
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'redirect'; readonly to: string }
  /** Half of the file, then the connection is cut. */
  | { readonly kind: 'cut'; readonly body: Buffer }
  /** No answer, and the connection stays open. */
  | { readonly kind: 'silence' };

/** A request that the feed received. */
export interface FeedRequest {
  readonly path: string;
  readonly range: string | undefined;
  readonly headers: IncomingMessage['headers'];
}

/** A folder on a web server from which updates are downloaded. */
export interface UpdateFeed {
  readonly url: string;
  readonly requests: readonly FeedRequest[];
  put(name: string, answer: FeedAnswer): void;
  stop(): Promise<void>;
}

const tls = new URL('../../fixtures/tls/', import.meta.url);
/** Certificate of the authority that signed the feed's certificate. */
export const feedAuthority = new URL('ca.crt', tls).pathname;

export async function startUpdateFeed(scheme: 'https' | 'http' = 'https'): Promise<UpdateFeed> {
  const answers = new Map<string, FeedAnswer>();
  const requests: FeedRequest[] = [];
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    const { pathname } = new URL(request.url ?? '/', 'https://feed.example');
    const { range } = request.headers;
    requests.push({ path: pathname, range, headers: request.headers });
    answer(answers.get(pathname) ?? { kind: 'status', status: 404 }, range, response);
  };
  const pair = {
    key: readFileSync(new URL('server.key', tls)),
    cert: readFileSync(new URL('good.crt', tls)),
  };
  const server = scheme === 'https' ? createServer(pair, serve) : createPlainServer(serve);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${scheme}://127.0.0.1:${port}/desktop`,
    requests,
    put: (name, next) => void answers.set(`/desktop/${name}`, next),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answer(given: FeedAnswer, range: string | undefined, response: ServerResponse): void {
  switch (given.kind) {
    case 'status':
      return void response.writeHead(given.status).end();
    case 'redirect':
      return void response.writeHead(302, { location: given.to }).end();
    case 'cut':
      response.writeHead(200, { 'content-length': given.body.length });
      response.write(given.body.subarray(0, given.body.length / 2), () => response.destroy());
      return;
    case 'silence':
      return;
    case 'file':
      return sendFile(given.body, range, response);
  }
}

function sendFile(body: Buffer, range: string | undefined, response: ServerResponse): void {
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? [];
  if (from === undefined || to === undefined) {
    response.writeHead(200, { 'content-length': body.length, 'accept-ranges': 'bytes' }).end(body);
    return;
  }
  const part = body.subarray(Number(from), Number(to) + 1);
  const where = `bytes ${from}-${to}/${body.length}`;
  response.writeHead(206, { 'content-length': part.length, 'content-range': where }).end(part);
}
