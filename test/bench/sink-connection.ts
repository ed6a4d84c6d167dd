import type { Socket } from 'node:net';

/** A request's line and headers. */
export interface SinkRequest {
  readonly method: string;
  /** Path and query as they were sent. */
  readonly target: string;
  readonly lengthBytes: number;
  header(name: string): string | undefined;
}

/** The answer to a request; an answer to HEAD gives the length of a body that is not sent. */
export interface SinkAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | number>>;
  readonly body?: string;
}

/** Reads the body of one request and answers it. */
export interface BodyTaker {
  take(chunk: Buffer): void;
  end(): SinkAnswer;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const EMPTY = Buffer.alloc(0);
/** Longest request head that is accepted, bytes; signed requests have 2 KiB. */
const MAX_HEAD_BYTES = 64 * 1024;

/**
 * Serves the requests of one connection. Uses bare sockets, because Node's HTTP server alone spends more time on a body
 * than everything here does, and only the sender should be measured.
 */
export function serveConnection(socket: Socket, begin: (request: SinkRequest) => BodyTaker): void {
  let unfinished: Buffer = EMPTY;
  let taker: BodyTaker | undefined;
  let leftBytes = 0;
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: Buffer) => {
    let rest = unfinished.length > 0 ? Buffer.concat([unfinished, chunk]) : chunk;
    unfinished = EMPTY;
    while (rest.length > 0) {
      if (taker === undefined) {
        const headEnd = rest.indexOf(HEAD_END);
        if (headEnd < 0) {
          if (rest.length > MAX_HEAD_BYTES) socket.destroy();
          unfinished = rest;
          return;
        }
        const request = parseHead(rest.toString('latin1', 0, headEnd));
        if (request.header('transfer-encoding') !== undefined) return void socket.end(LENGTH_REQUIRED);
        if (request.header('expect') !== undefined) socket.write('HTTP/1.1 100 Continue\r\n\r\n');
        rest = rest.subarray(headEnd + HEAD_END.length);
        taker = begin(request);
        leftBytes = request.lengthBytes;
      }
      const takenBytes = Math.min(leftBytes, rest.length);
      if (takenBytes > 0) taker.take(takenBytes === rest.length ? rest : rest.subarray(0, takenBytes));
      leftBytes -= takenBytes;
      rest = rest.subarray(takenBytes);
      if (leftBytes > 0) continue;
      socket.write(answerText(taker.end()));
      taker = undefined;
    }
  });
}

const LENGTH_REQUIRED = 'HTTP/1.1 411 Length Required\r\nContent-Length: 0\r\nConnection: close\r\n\r\n';

function parseHead(head: string): SinkRequest {
  const [method = '', target = '/'] = head.slice(0, head.indexOf('\r\n')).split(' ');
  const header = (name: string): string | undefined =>
    new RegExp(`\\r\\n${name}:[ \\t]*([^\\r]*)`, 'i').exec(head)?.[1]?.trim();
  return { method, target, lengthBytes: Number(header('content-length') ?? 0), header };
}

function answerText({ status, headers = {}, body = '' }: SinkAnswer): string {
  const all = { 'Content-Length': Buffer.byteLength(body), Date: new Date().toUTCString(), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${status < 300 ? 'OK' : 'Refused'}\r\n${lines.join('')}\r\n${body}`;
}
