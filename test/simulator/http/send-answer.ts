import { randomBytes, randomUUID } from 'node:crypto';
import { bodyBytes, type Answer } from './answer.ts';
import type { Exchange } from './exchange.ts';
import type { SimulatorClock } from '../simulator-clock.ts';

/**
 * Adds what every answer of service and storage carries: `Date` by the simulator's clock, and request ids, as a web
 * service names its answers and as an S3 store does.
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

/** Sends a whole answer; a length stated by the answer itself is left as it is. */
export function sendAnswer(exchange: Exchange, answer: Answer): void {
  const { response, entry } = exchange;
  if (response.destroyed || response.headersSent) return;
  const bytes = bodyBytes(answer);
  entry.status = answer.status;
  response.sendDate = false;
  response.writeHead(answer.status, { 'content-length': bytes.length, ...answer.headers });
  response.end(bytes);
}
