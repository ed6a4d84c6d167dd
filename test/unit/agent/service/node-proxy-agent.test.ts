import { once } from 'node:events';
import { Agent, request } from 'node:https';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { isBypassed } from '../../../../electron/agent/service/proxy-route.ts';

/*
 * Why tunnel and bypass rules are our own (docs/decisions.md): what Node's own agents do with a proxy. A test that turns
 * red here means that Node now does it right and our code can be removed.
 */

const servers: Server[] = [];
const sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
});

/** A proxy that runs `answer` for each connection; returns its port. */
async function listen(answer: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => answer(socket));
  });
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return portOf(server.address());
}

const portOf = (address: AddressInfo | string | null): number =>
  address !== null && typeof address === 'object' ? address.port : 0;

/** A port that nobody listens on. */
async function closedPort(): Promise<number> {
  const port = await listen(() => undefined);
  await new Promise((resolve) => servers.pop()?.close(resolve));
  return port;
}

const refusing = (socket: Socket): void =>
  void socket.end(
    'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: NTLM\r\nContent-Length: 0\r\n\r\n',
  );

/** The error of a request through Node's own proxy support; every name resolves to 127.0.0.1. */
async function errorOf(proxyPort: number, url: string, noProxy = ''): Promise<Record<string, unknown>> {
  const agent = new Agent({
    proxyEnv: { HTTPS_PROXY: `http://127.0.0.1:${proxyPort}`, NO_PROXY: noProxy },
  });
  const sent = request(url, {
    agent,
    lookup: (_name, _options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]),
  });
  sent.end();
  try {
    const [error] = await once(sent, 'error').catch((thrown: unknown) => [thrown]);
    return { ...Object(error) };
  } finally {
    sent.destroy();
    agent.destroy();
  }
}

describe("Node's own proxy support", () => {
  it('does not say which sign-in a proxy wants', async () => {
    const error = await errorOf(await listen(refusing), 'https://service.test/');
    expect(error).toEqual({ code: 'ERR_PROXY_TUNNEL', statusCode: 407 });
  });

  it('reports a proxy that is down as it reports a service that is down', async () => {
    const error = await errorOf(await closedPort(), 'https://service.test/');
    expect(error['code']).toBe('ECONNREFUSED');
    expect(JSON.stringify(error)).not.toContain('PROXY');
  });

  it('adds listeners with each piece of an answer of the proxy, twice as many each time', async () => {
    const warned = once(process, 'warning');
    const port = await listen((socket) => {
      let pieces = 0;
      socket.write('HTTP/1.1 200 OK\r\n');
      const timer = setInterval(() => {
        pieces += 1;
        socket.write(`X-Piece-${pieces}: some text\r\n`);
        if (pieces < 8) return;
        clearInterval(timer);
        socket.destroy();
      }, 20);
    });
    await errorOf(port, 'https://service.test/');
    const [warning] = await warned;
    expect(String(warning)).toContain('MaxListenersExceededWarning');
  });

  it.each([
    ['a range of addresses', '127.0.0.0/8', '127.0.0.1'],
    ['the hosts below a name', 'service.test', 'eu.service.test'],
  ])('does not know %s in NO_PROXY', async (_what, entry, hostname) => {
    const target = await closedPort();
    const error = await errorOf(await listen(refusing), `https://${hostname}:${target}/`, entry);
    expect(error['code']).toBe('ERR_PROXY_TUNNEL');
    expect(isBypassed({ hostname, port: target }, [entry])).toBe(true);
  });
});
