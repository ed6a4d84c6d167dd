import { randomInt } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** One HTTP server on loopback that can be closed and reopened on the same port. */
export interface Listener {
  readonly url: string;
  readonly port: number;
  /** Refuses new connections and ends the open ones. */
  offline(): Promise<void>;
  /** Accepts connections again, on the same port. */
  online(): Promise<void>;
}

const LOOPBACK = '127.0.0.1';
/**
 * Below the ports that systems assign: while a listener is closed, its port cannot go to another server or to an
 * outgoing connection.
 */
const FIRST_PORT = 20_000;
const LAST_PORT = 32_767;
/** Few ports in this range are in use or reserved by the system. */
const MOST_TRIES = 50;
/** Large socket reads: one storage request carries up to gigabytes. */
const READ_BYTES = 1024 * 1024;
/** Idle connections stay open for longer than any test or pause between parts. */
const KEEP_ALIVE_MS = 120_000;

export async function openListener(handler: RequestListener, port = 0): Promise<Listener> {
  const server = createServer(
    {
      highWaterMark: READ_BYTES,
      requestTimeout: 0,
      headersTimeout: 60_000,
      keepAliveTimeout: KEEP_ALIVE_MS,
      noDelay: true,
    },
    handler,
  );
  const sockets = trackSockets(server);
  const boundPort = port === 0 ? await listenSomewhere(server) : await listen(server, port);
  return {
    url: `http://${LOOPBACK}:${boundPort}`,
    port: boundPort,
    offline: () => close(server, sockets),
    online: async () => {
      if (!server.listening) await listen(server, boundPort);
    },
  };
}

/**
 * Open connections. One that was accepted while the server closes is ended immediately: its requests could hang
 * forever.
 */
function trackSockets(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    if (!server.listening) socket.destroy();
  });
  return sockets;
}

async function listenSomewhere(server: Server): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    const port = randomInt(FIRST_PORT, LAST_PORT + 1);
    const bound = await listen(server, port).catch((error: unknown) => {
      if (tries === MOST_TRIES) throw error;
      return undefined;
    });
    if (bound !== undefined) return bound;
  }
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, LOOPBACK, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function close(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  return new Promise((resolve) => {
    if (!server.listening) return resolve();
    server.close(() => resolve());
    for (const socket of sockets) socket.destroy();
  });
}
