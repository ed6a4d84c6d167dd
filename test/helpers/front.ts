import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'vitest';

/** Changes a JSON answer on its way to the agent. */
export type Rewrite = (answer: Record<string, unknown>, path: string) => unknown;

export interface FrontOptions {
  /** The `http://host:port` that requests are forwarded to, with that side's Host header. */
  readonly target: string;
  readonly rewrite?: Rewrite;
  /** Speaks TLS with this key and certificate. */
  readonly tls?: ServerOptions;
}

/** A server between agent and simulator, like a reverse proxy; stopped after the test. */
export async function startFront(context: Pick<TestContext, 'onTestFinished'>, options: FrontOptions) {
  const serve = (request: IncomingMessage, response: ServerResponse) => passOn(request, response, options);
  const secure = options.tls === undefined ? undefined : createTlsServer(options.tls, serve);
  const server = secure ?? createServer(serve);
  // On a slow line, the default would end connections that are being reused
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `${secure ? 'https' : 'http'}://127.0.0.1:${port}`,
    /** Presents another certificate from the next connection on. */
    useCertificate: (tls: ServerOptions) => secure?.setSecureContext(tls),
  };
}

function passOn(request: IncomingMessage, response: ServerResponse, options: FrontOptions): void {
  const target = new URL(request.url ?? '/', options.target);
  const { host: _host, ...headers } = request.headers;
  // Answers are modified, so they must arrive uncompressed
  const forward = httpRequest(target, {
    method: request.method,
    headers: { ...headers, 'accept-encoding': 'identity' },
  });
  forward.on('error', () => response.destroy());
  request.on('error', () => forward.destroy());
  forward.on('response', (answer) => {
    passBack(answer, response, target.pathname, options.rewrite).catch(() => response.destroy());
  });
  request.pipe(forward);
}

async function passBack(
  answer: IncomingMessage,
  response: ServerResponse,
  path: string,
  rewrite: Rewrite | undefined,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  const body = rewritten(Buffer.concat(chunks), path, rewrite);
  const { 'content-length': _length, ...rest } = answer.headers;
  response.writeHead(answer.statusCode ?? 502, { ...rest, 'content-length': body.length });
  response.end(body);
}

function rewritten(body: Buffer, path: string, rewrite: Rewrite | undefined): Buffer {
  if (rewrite === undefined || body.length === 0) return body;
  const changed = rewrite(JSON.parse(body.toString('utf8')), path);
  return Buffer.from(typeof changed === 'string' ? changed : JSON.stringify(changed));
}

interface UploadsAnswer {
  readonly uploads?: Readonly<
    Record<string, { readonly storage_key: string; readonly signed_urls: string | string[] }>
  >;
}

/** Changes the signed URLs in an answer of endpoint 2, and leaves any other answer unchanged. */
export function rewriteUrls(change: (url: string, fileId: string, partNumber: number) => unknown): Rewrite {
  return (answer: UploadsAnswer) => {
    if (answer.uploads === undefined) return answer;
    const uploads = Object.entries(answer.uploads).map(([fileId, upload]) => {
      const { signed_urls: urls } = upload;
      const changed = Array.isArray(urls)
        ? urls.map((url, index) => change(url, fileId, index + 1))
        : change(urls, fileId, 0);
      return [fileId, { ...upload, signed_urls: changed }];
    });
    return { ...answer, uploads: Object.fromEntries(uploads) };
  };
}
