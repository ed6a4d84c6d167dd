import type { Exchange } from './exchange.ts';
import { sendAnswer } from './send-answer.ts';

/** Runs a handler; a bug in the simulator becomes a 500 that says so, and a line on stderr. */
export function serveSafely(exchange: Exchange, handle: () => Promise<void>): void {
  handle().catch((error: unknown) => {
    console.error('The simulator failed on a request:', exchange.entry.method, exchange.entry.path, error);
    const message = error instanceof Error ? error.message : String(error);
    sendAnswer(exchange, { status: 500, body: JSON.stringify({ message: `Simulator bug: ${message}` }) });
  });
}
