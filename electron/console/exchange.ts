import type { IncomingMessage, ServerResponse } from 'node:http';
import { err, ok, type Result } from '../../shared/lib/result.ts';
import { refusalFailure, type Refusal } from './guard.ts';
import { securityHeaders } from './page-files.ts';

/** Limits of a server for all its clients together. Milliseconds, bytes, counts. */
export interface ServerLimits {
  readonly sockets: number;
  readonly headerBytes: number;
  /** Time limits for the headers and for the whole request, so that slow senders hold no socket. */
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  /** How often the server checks for slow senders. */
  readonly checkEveryMs: number;
  readonly keepAliveMs: number;
  /** A socket that is silent for this long is closed, such as that of a page that no longer reads its events. */
  readonly silenceMs: number;
}

/** Limits of the console: a handful of pages of one person, six sockets each. */
export const usualLimits: ServerLimits = {
  sockets: 64,
  headerBytes: 16 * 1024,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  checkEveryMs: 2_000,
  keepAliveMs: 10_000,
  // Longer than the longest call (the connection check with all its time-outs)
  silenceMs: 120_000,
};

/** Largest body of a call, bytes; a settings file or a message with its image address is far smaller. */
const MAX_BODY_BYTES = 1024 * 1024;
/** Calls that the agent handles at a time, for all pages together. */
export const MAX_CALLS_IN_FLIGHT = 16;
/** Pages that may receive events at a time. */
export const MAX_EVENT_STREAMS = 4;

const json = { 'content-type': 'application/json; charset=utf-8' };
const html = { 'content-type': 'text/html; charset=utf-8' };
const plain = { 'content-type': 'text/plain; charset=utf-8' };

/** One request and its response. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Sends a complete response with the headers that every response has. */
export function sendText(
  response: ServerResponse,
  status: number,
  body: string,
  headers: Readonly<Record<string, string>>,
): void {
  const length = String(Buffer.byteLength(body));
  response.writeHead(status, { ...securityHeaders, ...headers, 'content-length': length });
  response.end(body);
}

/** Sends a response to a call or to a page's script. */
export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  sendText(response, status, JSON.stringify(value), json);
}

/** Refuses: with a reply to what a script posted, with a page without script for a person, otherwise in plain text. */
export function refuse({ request, response }: Exchange, refusal: Refusal): void {
  sendText(response, refusal.status, ...refusalBody(request.method === 'POST', refusal));
}

function refusalBody(isPosted: boolean, refusal: Refusal): [string, Readonly<Record<string, string>>] {
  const headers = {
    ...(refusal.allow !== undefined && { allow: refusal.allow }),
    ...(refusal.retryAfterSeconds !== undefined && { 'retry-after': String(refusal.retryAfterSeconds) }),
  };
  if (isPosted)
    return [JSON.stringify({ ok: false, error: refusalFailure(refusal) }), { ...headers, ...json }];
  if (refusal.isPage) return [closedPage(refusal.text), { ...headers, ...html }];
  return [`${refusal.text}\n`, { ...headers, ...plain }];
}

/** A refusal for a socket that has no parsed request; it is the last thing on that socket. */
export function rawRefusal({ status, text, allow }: Refusal): string {
  const body = `${text}\n`;
  const fields = {
    ...securityHeaders,
    ...(allow !== undefined && { allow }),
    ...plain,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} Refused\r\n${lines.join('')}\r\n${body}`;
}

/** The texts are our own and contain no character that has a meaning in HTML. */
function closedPage(text: string): string {
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>VMS Export Agent</title></head>',
    `<body><main><h1>VMS Export Agent</h1><p>${text}</p><p>Open the console again from the terminal.</p></main></body>`,
    '</html>',
    '',
  ].join('\n');
}

/** The body that a request posted. `undefined` as an error: the client left, and there is nobody to refuse. */
export async function readJsonBody(request: IncomingMessage): Promise<Result<unknown, Refusal | undefined>> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) return err(tooLarge);
  const body = await readBytes(request);
  if (!body.ok) return body;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body.value);
    const value: unknown = JSON.parse(text);
    return ok(value);
  } catch {
    return err({ status: 400, text: 'The request is not JSON in UTF-8.' });
  }
}

const tooLarge: Refusal = { status: 413, text: 'The request is larger than 1 MB.' };

/** Data over the limit is read and discarded, so that the client is there to receive the refusal. */
function readBytes(request: IncomingMessage): Promise<Result<Buffer, Refusal | undefined>> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let sizeBytes = 0;
    request.on('data', (chunk: Buffer) => {
      sizeBytes += chunk.length;
      if (sizeBytes <= MAX_BODY_BYTES) return void chunks.push(chunk);
      chunks.length = 0;
      resolve(err(tooLarge));
    });
    request.once('end', () => resolve(ok(Buffer.concat(chunks))));
    request.once('close', () => resolve(err(undefined)));
  });
}
