import { Agent, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';

/** One request as a browser would send it; its headers replace the usual ones, and undefined removes one. */
export interface Question {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body?: string | Buffer;
  /** Keeps the connection for the next question. */
  readonly agent?: Agent;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  json(): unknown;
}

/** Sends a question and returns the response with its body unread. */
export function open(port: number, question: Question): Promise<IncomingMessage> {
  const { method = 'GET', path, headers, body, agent } = question;
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      host: '127.0.0.1',
      port,
      method,
      path,
      agent: agent ?? new Agent({ keepAlive: false }),
      headers: usualHeaders(port, method, headers, body),
    });
    request.once('response', resolve);
    request.once('error', reject);
    request.end(body);
  });
}

/** Sends a question and reads the whole answer. */
export async function ask(port: number, question: Question): Promise<Answer> {
  const response = await open(port, question);
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString('utf8');
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text,
    json: () => JSON.parse(text),
  };
}

function usualHeaders(
  port: number,
  method: string,
  own: Question['headers'],
  body: Question['body'],
): Record<string, string | string[]> {
  const usual = {
    host: `127.0.0.1:${port}`,
    'sec-fetch-site': 'same-origin',
    ...(method === 'POST' && { origin: `http://127.0.0.1:${port}`, 'content-type': 'application/json' }),
    ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
  };
  const all = Object.entries<string | readonly string[] | undefined>({ ...usual, ...own });
  return Object.fromEntries(
    all.flatMap(([name, value]) =>
      value === undefined ? [] : [[name, typeof value === 'string' ? value : [...value]] as const],
    ),
  );
}

/** A raw connection to write any bytes to. */
export interface Wire {
  readonly socket: Socket;
  /** Everything that was received until the other side closed. */
  readonly answer: Promise<string>;
}

export function openWire(port: number, host = '127.0.0.1'): Wire {
  const socket = connect(port, host);
  const chunks: Buffer[] = [];
  const answer = new Promise<string>((resolve) => {
    socket.on('data', (chunk) => chunks.push(chunk));
    // A reset after the answer is as good as an end
    socket.on('error', () => undefined);
    socket.once('close', () => resolve(Buffer.concat(chunks).toString('latin1')));
  });
  return { socket, answer };
}

/** Sends bytes as they are, with `PORT` replaced, and returns the answer; the request must end its connection. */
export async function sendRaw(port: number, text: string): Promise<string> {
  const wire = openWire(port);
  wire.socket.write(text.replaceAll('PORT', String(port)), 'latin1');
  return wire.answer;
}

/** The status of each answer in a raw text. */
export function statusesOf(text: string): readonly number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]));
}
