import { setTimeout as sleep } from 'node:timers/promises';
import { bodyBytes, rawAnswer, type Answer } from '../http/answer.ts';
import type { Exchange } from '../http/exchange.ts';

/** Answers without reading the body and closes: with unread data in the socket, the client gets a reset. */
export function answerEarly({ request, response, entry }: Exchange, answer: Answer): void {
  request.pause();
  entry.status = answer.status;
  request.socket.write(rawAnswer({ ...answer, headers: { ...answer.headers, connection: 'close' } }), () =>
    response.destroy(),
  );
}

/** Writes bytes to the socket, which need not be HTTP, and ends the connection. */
export function sendRaw({ request, response }: Exchange, bytes: Buffer): void {
  request.socket.end(bytes, () => response.destroy());
}

/** Sends the first bytes of an answer and resets the connection. */
export function sendPartOfAnswer({ request, response }: Exchange, answer: Answer, bytes: number): void {
  const part = rawAnswer(answer).subarray(0, bytes);
  const reset = () => {
    request.socket.resetAndDestroy();
    response.destroy();
  };
  if (part.length === 0) reset();
  else request.socket.write(part, reset);
}

/** Slices per second of an answer that is sent slowly. */
const SLICES_PER_SECOND = 10;

/** Sends the answer's body at a given rate. */
export async function sendSlowly(exchange: Exchange, answer: Answer, bytesPerSecond: number): Promise<void> {
  const { response, entry, signal } = exchange;
  const bytes = bodyBytes(answer);
  const slice = Math.max(1, Math.ceil(bytesPerSecond / SLICES_PER_SECOND));
  entry.status = answer.status;
  response.sendDate = false;
  response.writeHead(answer.status, { ...answer.headers, 'content-length': bytes.length });
  response.flushHeaders();
  for (let offset = 0; offset < bytes.length && !signal.aborted; offset += slice) {
    const part = bytes.subarray(offset, offset + slice);
    const delayMs = (part.length / bytesPerSecond) * 1000;
    await sleep(delayMs, undefined, { signal, ref: false }).catch(() => undefined);
    response.write(part);
  }
  response.end();
}

/** Size of one slice of a flood, bytes. */
const FLOOD_SLICE_BYTES = 65_536;

/** A JSON string that continues for as long as asked, or until the client leaves. */
export function sendFlood({ response, entry }: Exchange, bytes: number): void {
  const slice = Buffer.alloc(FLOOD_SLICE_BYTES, 'x');
  let left = bytes;
  entry.status = 200;
  response.writeHead(200, { 'content-type': 'application/json' });
  const send = (): void => {
    while (left > 0) {
      const part = slice.subarray(0, Math.min(left, slice.length));
      left -= part.length;
      if (!response.write(part)) {
        response.once('drain', send);
        return;
      }
    }
    response.end('"');
  };
  response.write('"');
  send();
}
