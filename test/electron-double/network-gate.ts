import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The only way of Chromium's pages to the network. */
export interface NetworkGate {
  /** `http://127.0.0.1:PORT`, to be given to Chromium as its proxy. */
  readonly url: string;
  /** Lets requests for this address through. */
  allow(url: string): void;
}

/**
 * A proxy that lets through what the app has allowed. A window that is refused is never made by Electron; Chromium
 * makes it, and whoever is attached to it may let it run before it is closed. It reaches nothing.
 */
export async function openNetworkGate(): Promise<NetworkGate> {
  const allowed = new Set<string>();
  const server = createServer((asked, answer) => {
    const url = asked.url ?? '';
    if (!allowed.has(url)) return void answer.writeHead(403).end();
    const { method, headers } = asked;
    const passed = request(url, { method, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    passed.on('error', () => answer.destroy());
    asked.pipe(passed);
  });
  // Tunnels: no test serves pages by TLS
  server.on('connect', (_asked, socket) => socket.destroy());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, allow: (url) => void allowed.add(url) };
}
