import { randomBytes, randomUUID } from 'node:crypto';
import { bodyBytes, type Answer } from './answer.ts';
import type { Exchange } from './exchange.ts';
import type { SimulatorClock } from '../simulator-clock.ts';

/**
 * Adds the headers that every answer has: `Date` by the simulator's clock, and the request ids that a web service or an
 * S3 store gives its answers.
 */
export function withCommonHeaders(answer: Answer, { entry }: Exchange, clock: SimulatorClock): Answer {
  const ids =
    entry.listener === 'service'
      ? { 'x-request-id': randomUUID() }
      : {
          'x-amz-request-id': randomBytes(8).toString('hex').toUpperCase(),
          'x-amz-id-2': randomBytes(56).toString('base64'),
        };
  const headers = { date: new Date(clock.now()).toUTCString(), ...ids, ...answer.headers };
  entry.requestId = headers['x-request-id'] ?? headers['x-amz-request-id'];
  return { ...answer, headers };
}

/** Sends a whole answer; a length that the answer itself sets is kept. */
export function sendAnswer(exchange: Exchange, answer: Answer): void {
  const { response, entry } = exchange;
  if (response.destroyed || response.headersSent) return;
  const bytes = bodyBytes(answer);
  entry.status = answer.status;
  response.sendDate = false;
  response.writeHead(answer.status, { 'content-length': bytes.length, ...answer.headers });
  response.end(bytes);
}
