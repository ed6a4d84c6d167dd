import { createHash, randomUUID, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { pipeline, type Readable } from 'node:stream';

/** The app's answer to a page. Its body is sent as the page reads it. */
export interface OwnAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readable | null;
}

/** The only access that Chromium's pages have to the network. */
export interface NetworkGate {
  /** `http://127.0.0.1:PORT`, to be set as Chromium's proxy. */
  readonly url: string;
  /** Lets requests for this address through. */
  allow(url: string): void;
  /** Keeps an answer for the one request that carries this ticket in the header `TICKET`. */
  keep(answer: OwnAnswer): string;
}

export const TICKET = 'electron-double-ticket';

const read = (name: string): Buffer => readFileSync(new URL(`../fixtures/tls/${name}`, import.meta.url));
const cert = read('good.crt');
const publicKey = new X509Certificate(cert).publicKey.export({ type: 'spki', format: 'der' });
/** Makes Chromium trust the gate, and nobody else, for the hosts of the app. */
export const trustInGate = `--ignore-certificate-errors-spki-list=${createHash('sha256').update(publicKey).digest('base64')}`;

/**
 * A proxy that lets allowed requests through and answers for the hosts of the app's own schemes. Electron never creates
 * a refused window; Chromium does, and whoever is attached to it may let it run before it is closed. It cannot reach
 * anything.
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
  // No other hosts: tests do not serve pages over TLS
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

/** Uses HTTP/2, which has no limit of six requests per host: Electron has none for its schemes either. */
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
    // Either end closes the other: when a page navigates away, or a body fails midway
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
