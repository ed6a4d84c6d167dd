import { createHash, randomUUID, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { pipeline, type Readable } from 'node:stream';

/** What the app answers to a page. Its body goes out as the page takes it. */
export interface OwnAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readable | null;
}

/** The only way of Chromium's pages to the network. */
export interface NetworkGate {
  /** `http://127.0.0.1:PORT`, to be given to Chromium as its proxy. */
  readonly url: string;
  /** Lets requests for this address through. */
  allow(url: string): void;
  /** Keeps an answer for the one request that brings this ticket in the header `TICKET`. */
  keep(answer: OwnAnswer): string;
}

export const TICKET = 'electron-double-ticket';

const read = (name: string): Buffer => readFileSync(new URL(`../fixtures/tls/${name}`, import.meta.url));
const cert = read('good.crt');
const publicKey = new X509Certificate(cert).publicKey.export({ type: 'spki', format: 'der' });
/** Lets Chromium take the gate for the hosts of the app, and nobody else. */
export const trustInGate = `--ignore-certificate-errors-spki-list=${createHash('sha256').update(publicKey).digest('base64')}`;

/**
 * A proxy that lets through what the app has allowed, and answers for the hosts of the app's own schemes. A window that
 * is refused is never made by Electron; Chromium makes it, and whoever is attached to it may let it run before it is
 * closed. It reaches nothing.
 */
export async function openNetworkGate(): Promise<NetworkGate> {
  const allowed = new Set<string>();
  const own = serveOwn();
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
  // Other hosts: no test serves pages by TLS
  server.on('connect', ({ url = '' }, socket, first: Buffer) => {
    if (!url.endsWith('.invalid:443')) return void socket.destroy();
    socket.on('error', () => socket.destroy());
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    socket.unshift(first);
    own.connect(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, allow: (url) => void allowed.add(url), keep: own.keep };
}

/** In HTTP/2, which has no limit of six requests for one host: Electron has none for its schemes. */
function serveOwn(): { connect(socket: unknown): void; readonly keep: NetworkGate['keep'] } {
  const kept = new Map<string, OwnAnswer>();
  const server = createSecureServer({ key: read('server.key'), cert });
  server.on('sessionError', () => undefined);
  server.on('stream', (stream, headers) => {
    const ticket = String(headers[TICKET]);
    const answer = kept.get(ticket);
    kept.delete(ticket);
    stream.on('error', () => undefined).resume();
    if (answer === undefined) return stream.respond({ ':status': 403 }, { endStream: true });
    const { status, body } = answer;
    stream.respond({ ':status': status, ...answer.headers }, { endStream: body === null });
    // Either end takes the other with it: a page that goes elsewhere, a body that fails on the way
    if (body !== null) pipeline(body, stream, () => undefined);
  });
  return {
    connect: (socket) => void server.emit('connection', socket),
    keep(answer) {
      const ticket = randomUUID();
      kept.set(ticket, answer);
      return ticket;
    },
  };
}
