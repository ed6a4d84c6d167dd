import got from 'got';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { formatBytes } from '../../../shared/lib/readable-amounts.ts';
import { networkFailure } from './failures.ts';
import { connectThrough, type ProxyRoute } from './proxy-route.ts';

/** A small request to a server other than the service. */
export interface Question {
  readonly url: string;
  /** Missing: the request is a GET. */
  readonly post?: { readonly body: Uint8Array; readonly contentType: string };
  /** Largest answer that is accepted, bytes. */
  readonly mostBytes: number;
  /** Longest wait for the whole answer, milliseconds. */
  readonly timeoutMs: number;
  /** Version of the agent. */
  readonly version: string;
  readonly route: ProxyRoute;
  /** Certificates to trust instead of the system's; for tests. */
  readonly ca?: string;
}

/**
 * Sends a request once, without key, cookies, redirects, retries or decompression. Rejects only with the signal's
 * reason. The error is what follows the name of the server in a sentence: "responded with HTTP 404".
 */
export async function askOnce(question: Question, signal: AbortSignal): Promise<Result<Buffer, string>> {
  const { url, post, mostBytes, timeoutMs, version, route, ca } = question;
  const { host } = new URL(url);
  const agent = { http: new HttpAgent(), https: new HttpsAgent(ca === undefined ? {} : { ca: [ca] }) };
  connectThrough(agent.https, route);
  try {
    const stream = got.stream(url, {
      method: post === undefined ? 'GET' : 'POST',
      signal,
      agent,
      ...(post && { body: post.body }),
      headers: {
        ...(post && { 'content-type': post.contentType }),
        'accept-encoding': 'identity',
        'user-agent': `vms-export-agent/${version}`,
      },
      decompress: false,
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
      // Leaving the loop destroys the stream
      if (sizeBytes > mostBytes) return err(`sent more than ${formatBytes(mostBytes)}`);
      chunks.push(bytes);
    }
    return status === 200 ? ok(Buffer.concat(chunks)) : err(`responded with HTTP ${status}`);
  } catch (error) {
    signal.throwIfAborted();
    return err(`gave no usable response: ${networkFailure(error, host).message}`);
  } finally {
    agent.http.destroy();
    agent.https.destroy();
  }
}

/** Longest wait for the whole answer, milliseconds: a person waits for the pack. */
const TIMEOUT_MS = 15_000;
/** Largest answer, bytes: one with its certificates has about 6 KB. */
const MAX_ANSWER_BYTES = 64_000;

/**
 * Asks a time-stamp service (RFC 3161, section 3.4) once; it receives a hash and nothing else. Rejects only with the
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

/** Creates the client for a time-stamp service. */
export function createTimeStampClient({
  url,
  version,
  route,
  timeoutMs = TIMEOUT_MS,
}: ClientOptions): AskTimeStamp {
  return async (query, signal) => {
    const { hostname, port, protocol, host } = new URL(url);
    const target = { hostname: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || 80 };
    const proxy = protocol === 'https:' ? undefined : route.proxyFor(target);
    if (proxy?.ok === true)
      return err(`The time-stamp service ${host} cannot be reached over HTTP through the proxy.`);
    if (proxy !== undefined)
      return err(`The time-stamp service ${host} gave no usable response: ${proxy.error.message}`);
    const post = { body: query, contentType: 'application/timestamp-query' };
    const question = { url, post, mostBytes: MAX_ANSWER_BYTES, timeoutMs, version, route };
    const answer = await askOnce(question, signal);
    return answer.ok ? ok(answer.value) : err(`The time-stamp service ${host} ${sentence(answer.error)}`);
  };
}

/** A reason from `askOnce` as the end of a sentence. */
export const sentence = (text: string): string => (text.endsWith('.') ? text : `${text}.`);
