import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import { connect, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TestContext } from 'vitest';

/** What a proxy does; each of it can be changed while it runs, and counts for the next tunnel. */
export interface ProxyManners {
  /** Names that it knows, `host:port`, and the port on 127.0.0.1 that each leads to; it answers 502 for others. */
  readonly knows: Readonly<Record<string, number>>;
  /** `name:password` that it wants. */
  readonly credentials?: string | undefined;
  /** The ways to sign in that it offers with 407. */
  readonly schemes?: string;
  /** Answers every CONNECT so, with a page as body; or says nothing at all. */
  readonly answers?: number | 'never' | undefined;
  /** Hosts, `host:port`, that it answers 403 for. */
  readonly blocks?: readonly string[];
  /** Cuts each tunnel after it has carried so many bytes towards the other side. */
  readonly cutAfterBytes?: number | undefined;
}

export interface AskedTunnel {
  readonly authority: string;
  readonly authorization: string | undefined;
  /** What the proxy answered; undefined when it never did. */
  status: number | undefined;
}

const PAGE = '<!doctype html><title>Blocked</title><p>Blocked by policy.';

/** A forward proxy on 127.0.0.1, with TLS or without; ended with the test. It looks names up itself, as they do. */
export async function startForwardProxy(
  context: Pick<TestContext, 'onTestFinished'>,
  firstManners: ProxyManners,
  tls?: ServerOptions,
) {
  let manners = firstManners;
  const asked: AskedTunnel[] = [];
  const open = new Set<Duplex>();
  const others: string[] = [];
  const server = tls === undefined ? createServer() : createTlsServer(tls);
  // What is no CONNECT would show the proxy what is sent
  server.on('request', (request, response) => {
    others.push(`${request.method} ${request.url}`);
    response.writeHead(400).end();
  });
  server.on('connect', (request: IncomingMessage, client: Duplex, head: Buffer) => {
    client.on('error', () => undefined);
    keep(open, client);
    const tunnel: AskedTunnel = {
      authority: request.url ?? '',
      authorization: request.headers['proxy-authorization'],
      status: undefined,
    };
    asked.push(tunnel);
    const { answers } = manners;
    if (answers === 'never') {
      // Read on, or its end is never seen
      client.on('end', () => client.destroy()).resume();
      return;
    }
    const port = manners.knows[tunnel.authority];
    const isSignedIn =
      manners.credentials === undefined || tunnel.authorization === basic(manners.credentials);
    const isBlocked = manners.blocks?.includes(tunnel.authority) === true;
    const forHost = isBlocked ? 403 : port === undefined ? 502 : 200;
    tunnel.status = answers ?? (isSignedIn ? forHost : 407);
    if (tunnel.status !== 200 || port === undefined) {
      const more =
        tunnel.status === 407 ? `Proxy-Authenticate: ${manners.schemes ?? 'Basic realm="desk"'}\r\n` : '';
      client.end(
        `HTTP/1.1 ${tunnel.status} No\r\n${more}Content-Type: text/html\r\nContent-Length: ${PAGE.length}\r\n\r\n${PAGE}`,
      );
      return;
    }
    join(client, head, connect(port, '127.0.0.1'), manners.cutAfterBytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.onTestFinished(() => {
    open.forEach((client) => client.destroy());
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http${tls === undefined ? '' : 's'}://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    asked,
    /** Requests that were none for a tunnel. */
    others,
    standing: () => open.size,
    change: (next: Partial<ProxyManners>) => {
      manners = { ...manners, ...next };
    },
    cutAll: () => open.forEach((client) => client.destroy()),
  };
}

export const basic = (credentials: string) => `Basic ${Buffer.from(credentials).toString('base64')}`;

function keep(open: Set<Duplex>, client: Duplex): void {
  open.add(client);
  client.once('close', () => open.delete(client));
}

function join(client: Duplex, head: Buffer, target: Socket, cutAfterBytes: number | undefined): void {
  target.once('connect', () => {
    client.write('HTTP/1.1 200 Connection established\r\n\r\n');
    target.write(head);
    client.pipe(target);
    target.pipe(client);
  });
  let carried = 0;
  client.on('data', (chunk: Buffer) => {
    carried += chunk.length;
    if (cutAfterBytes !== undefined && carried > cutAfterBytes) client.destroy();
  });
  // What came from there before it went away still arrives; what is sent there from now on goes nowhere
  target.on('error', () => undefined);
  target.once('close', () => client.end().resume());
  client.once('close', () => target.destroy());
}
