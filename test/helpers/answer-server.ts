import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { once } from 'node:events';

/** A server on loopback that answers as its test says and keeps the requests. */
export interface AnswerServer {
  readonly baseUrl: string;
  readonly host: string;
  readonly requests: readonly IncomingMessage[];
  /** Bodies of the requests, in the same order, each read in full before its request is answered. */
  readonly bodies: readonly string[];
  close(): Promise<void>;
}

export async function startAnswerServer(answer: RequestListener): Promise<AnswerServer> {
  const requests: IncomingMessage[] = [];
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      requests.push(request);
      bodies.push(Buffer.concat(chunks).toString('utf8'));
      answer(request, response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port');
  const host = `127.0.0.1:${address.port}`;
  return {
    baseUrl: `http://${host}`,
    host,
    requests,
    bodies,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
