import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createAppProtocol } from '../../../electron/desktop/security/app-protocol.ts';
import { APP_ORIGIN } from '../../../electron/desktop/security/app-protocol.ts';
import { createThumbnailProtocol, type Offer } from '../../../electron/desktop/window/thumbnail-window.ts';

const pages = fileURLToPath(new URL('../../../dist/renderer', import.meta.url));

/** The hidden window's scheme, served by a web server: the same pages, headers, ranges and tokens. */
export interface ThumbnailHost {
  readonly origin: string;
  /** Offers a clip to the page; its address is on this server. */
  offer(bytes: Uint8Array, options?: OfferOptions): Offer & { readonly readBytes: () => number };
  stop(): Promise<void>;
}

export interface OfferOptions {
  /** The stated size, if it differs from the real one. */
  readonly sizeBytes?: number;
  /** Called before each read, which fails with whatever this throws. */
  readonly onRead?: (start: number) => unknown;
}

export async function startThumbnailHost(): Promise<ThumbnailHost> {
  const protocol = createThumbnailProtocol(
    createAppProtocol(pages, async () => ({ status: 404, headers: {} })),
  );
  const server = createServer((request, response) => void respond(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const place = server.address();
  if (place === null || typeof place === 'string') throw new Error('No port');
  const origin = `http://127.0.0.1:${place.port}`;

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request);
    const { range } = request.headers;
    const answer = await protocol.answer(
      new Request(`${APP_ORIGIN}${request.url ?? '/'}`, {
        method: request.method ?? 'GET',
        headers: range === undefined ? {} : { range },
        ...(body.length === 0 ? {} : { body }),
      }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(Buffer.from(await answer.arrayBuffer()));
  }

  return {
    origin,
    offer(bytes, { sizeBytes = bytes.length, onRead } = {}) {
      let readBytes = 0;
      const offer = protocol.offer({
        sizeBytes,
        async read(start, end) {
          await onRead?.(start);
          const piece = new Uint8Array(end - start);
          piece.set(bytes.subarray(start, end));
          readBytes += piece.length;
          return piece;
        },
      });
      return { ...offer, address: offer.address.replace(APP_ORIGIN, origin), readBytes: () => readBytes };
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function readBody(request: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Uint8Array.from(Buffer.concat(pieces));
}
