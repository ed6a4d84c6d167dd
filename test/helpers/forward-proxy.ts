import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import { connect, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TestContext } from 'vitest';

/** How a proxy behaves; everything can be changed while it runs and applies to the next tunnel. */
export interface ProxyManners {
  /** The names that it can resolve, `host:port`, and the port on 127.0.0.1 for each; it answers 502 for others. */
  readonly knows: Readonly<Record<string, number>>;
  /** The `name:password` that it requires. */
  readonly credentials?: string | undefined;
  /** The authentication schemes that it offers with 407. */
  readonly schemes?: string;
  /** Answers every CONNECT with this status and a page as body, or never answers. */
  readonly answers?: number | 'never' | undefined;
  /** Hosts, `host:port`, for which it answers 403. */
  readonly blocks?: readonly string[];
  /** Cuts each tunnel after it has carried this many bytes towards the server. */
  readonly cutAfterBytes?: number | undefined;
}

export interface AskedTunnel {
  readonly authority: string;
  readonly authorization: string | undefined;
  /** The status of the proxy's answer; undefined when it never answered. */
  status: number | undefined;
}

const PAGE = '<!doctype html><title>Blocked</title><p>Blocked by policy.';

/**
 * A forward proxy on 127.0.0.1, with TLS or without; stopped after the test. Like real ones, it resolves names itself.
 */
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
  // A request other than CONNECT would let the proxy read what is sent
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
      // Keep reading, otherwise the end is never seen
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
    /** Requests other than for a tunnel. */
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
  // Data sent before the target went away still arrives; data sent to it afterwards is dropped
  target.on('error', () => undefined);
  target.once('close', () => client.end().resume());
  client.once('close', () => target.destroy());
}
