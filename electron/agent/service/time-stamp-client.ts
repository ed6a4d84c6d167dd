import got from 'got';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { networkFailure } from './failures.ts';
import { connectThrough, type ProxyRoute } from './proxy-route.ts';

/** A whole answer has to be there by then, milliseconds: a person waits for the pack. */
const TIMEOUT_MS = 15_000;
/** Largest answer, bytes: one with its certificates has some 6 KB. */
const MAX_ANSWER_BYTES = 64 * 1024;

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

/** Makes the client: without key, cookies, redirects or second tries. */
export function createTimeStampClient({
  url,
  version,
  route,
  timeoutMs = TIMEOUT_MS,
}: ClientOptions): AskTimeStamp {
  return async (query, signal) => {
    const { hostname, port, protocol, host } = new URL(url);
    const isSecure = protocol === 'https:';
    const target = {
      hostname: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port) || (isSecure ? 443 : 80),
    };
    if (!isSecure && route.proxyFor(target) !== undefined)
      return err(`The time-stamp service ${host} cannot be reached over http through the proxy.`);
    const agent = { http: new HttpAgent(), https: new HttpsAgent() };
    connectThrough(agent.https, route);
    try {
      const stream = got.stream.post(url, {
        signal,
        agent,
        body: query,
        headers: {
          'content-type': 'application/timestamp-query',
          'user-agent': `vms-export-agent/${version}`,
        },
        followRedirect: false,
        throwHttpErrors: false,
        retry: { limit: 0 },
        timeout: { request: timeoutMs },
        https: { rejectUnauthorized: true, minVersion: 'TLSv1.2' },
      });
      let status = 0;
      stream.on('response', (response: { readonly statusCode?: number }) => {
        status = response.statusCode ?? 0;
      });
      const chunks: Buffer[] = [];
      let sizeBytes = 0;
      for await (const chunk of stream) {
        const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
        sizeBytes += bytes.length;
        if (sizeBytes > MAX_ANSWER_BYTES) {
          stream.destroy();
          return err(`The time-stamp service ${host} sent more than 64 KB.`);
        }
        chunks.push(bytes);
      }
      if (status !== 200) return err(`The time-stamp service ${host} answered with HTTP ${status}.`);
      return ok(Buffer.concat(chunks));
    } catch (error) {
      signal.throwIfAborted();
      return err(`The time-stamp service ${host} gave no answer: ${networkFailure(error, host).message}`);
    } finally {
      agent.http.destroy();
      agent.https.destroy();
    }
  };
}
