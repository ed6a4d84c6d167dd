import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { askOnce } from './ask-once.ts';
import type { ProxyRoute } from './proxy-route.ts';

/** A whole answer has to be there by then, milliseconds: a person waits for the pack. */
const TIMEOUT_MS = 15_000;
/** Largest answer, bytes: one with its certificates has some 6 KB. */
const MAX_ANSWER_BYTES = 64_000;

/**
 * Asks a time-stamp service (RFC 3161, section 3.4) once; it gets a hash and nothing else. Never rejects but with the
 * signal's reason. The error is a sentence that says why there is no answer.
 */
export type AskTimeStamp = (query: Uint8Array, signal: AbortSignal) => Promise<Result<Buffer, string>>;

interface ClientOptions {
  readonly url: string;
  readonly version: string;
  readonly route: ProxyRoute;
  /** For tests. */
  readonly timeoutMs?: number;
}

/** Makes the client. */
export function createTimeStampClient({
  url,
  version,
  route,
  timeoutMs = TIMEOUT_MS,
}: ClientOptions): AskTimeStamp {
  return async (query, signal) => {
    const { hostname, port, protocol, host } = new URL(url);
    const target = { hostname: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || 80 };
    if (protocol !== 'https:' && route.proxyFor(target) !== undefined)
      return err(`The time-stamp service ${host} cannot be reached over http through the proxy.`);
    const post = { body: query, contentType: 'application/timestamp-query' };
    const question = { url, post, mostBytes: MAX_ANSWER_BYTES, timeoutMs, version, route };
    const answer = await askOnce(question, signal);
    return answer.ok ? ok(answer.value) : err(`The time-stamp service ${host} ${sentence(answer.error)}`);
  };
}

const sentence = (text: string): string => (text.endsWith('.') ? text : `${text}.`);
