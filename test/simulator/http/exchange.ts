import type { IncomingMessage, ServerResponse } from 'node:http';
import type { SimulatorClock } from '../simulator-clock.ts';
import type { LoggedRequest, WritableRequestLog } from '../request-log.ts';
import type { SimulatorSettings } from '../settings.ts';
import { redactHeaders, redactQuery, redactSearch } from './redact.ts';

/** One request with its response and its entry in the log. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  readonly entry: LoggedRequest;
  /** Aborted when the connection is gone, so that nothing keeps waiting for it. */
  readonly signal: AbortSignal;
}

/** Logs the arrival of a request and, later, its end. */
export function openExchange(
  request: IncomingMessage,
  response: ServerResponse,
  context: {
    listener: 'service' | 'storage';
    log: WritableRequestLog;
    clock: SimulatorClock;
    settings: SimulatorSettings;
  },
): Exchange {
  const url = new URL(request.url ?? '/', 'http://loopback');
  const entry = context.log.begin({
    at: context.clock.now(),
    listener: context.listener,
    call: 'unknown',
    method: request.method ?? '',
    path: url.pathname,
    query: redactQuery(url, context.settings.keyPlacement),
    search: redactSearch(request.url ?? '', context.settings.keyPlacement),
    headers: redactHeaders(request.headers, context.settings.keyPlacement),
    bytesReceived: 0,
    fileIds: [],
  });
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) entry.dropped = true;
    context.log.end(entry, context.clock.now());
    gone.abort();
  });
  return { request, response, url, entry, signal: gone.signal };
}
