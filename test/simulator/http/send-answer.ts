import { randomUUID } from 'node:crypto';
import { bodyBytes, type Answer } from './answer.ts';
import type { Exchange } from './exchange.ts';
import type { SimulatorClock } from '../simulator-clock.ts';

/** Adds what every answer of service and storage carries: `Date` by the simulator's clock, and a request id. */
export function withCommonHeaders(answer: Answer, clock: SimulatorClock): Answer {
  const common = { date: new Date(clock.now()).toUTCString(), 'x-request-id': randomUUID() };
  return { ...answer, headers: { ...common, ...answer.headers } };
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
