import got, { type OptionsInit } from 'got';
import {
  Agent as HttpAgent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ClientRequest,
} from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { FailureError, type Failure, type RequestId } from '../../../shared/domain/failure.ts';
import type { AuthSettings } from '../../../shared/domain/settings.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { keyMissing, notSetUp } from '../core/settings/check-connection.ts';
import { REMOVED, secretForms } from '../core/text/redact.ts';
import { readRequestIds } from './request-ids.ts';
import type { Secrets } from '../ports.ts';
import { connectThrough, type ProxyRoute } from './proxy-route.ts';
import { endpointPath, endpoints, type EndpointName, type PathIds } from './endpoints.ts';
import { badId, networkFailure, tooLarge } from './failures.ts';
import type { Duplex } from 'node:stream';

/** Largest answer that is read, as a guard against floods (8 MiB). */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
/**
 * Lists may come in one answer, because paging is not promised: 50,000 actions are about 25 MiB, the 100,000 clips of
 * the largest export 55 MiB, and 10,000 URLs that are signed with temporary credentials 20 MiB.
 */
const MAX_LIST_BYTES = 64 * 1024 * 1024;
const lists: ReadonlySet<EndpointName> = new Set([
  'getActions',
  'getPeriods',
  'getUsers',
  'getUploadUrls',
  'getIncident',
  'putIncident',
]);
const MAX_HEADER_BYTES = 32 * 1024;
const CONNECT_TIMEOUT_MS = 15_000;
/**
 * A whole call, from the first packet to the last byte of the answer: a slow trickle must not occupy a slot for long.
 */
const CALL_TIMEOUT_MS = 60_000;
/** Storage may put 10,000 parts together in that time, and says nothing until it is done. */
const COMPLETE_TIMEOUT_MS = 600_000;
/** More than the job pools have slots, including those that wait for slow answers. */
const MAX_SOCKETS = 16;

/** One call to the service: the endpoint, its ids, query and body. */
export interface ServiceCall {
  readonly endpoint: EndpointName;
  readonly ids?: PathIds;
  readonly query?: readonly (readonly [name: string, value: string])[];
  readonly body?: unknown;
  /** Longest wait for the whole answer, milliseconds; default: 60 s, and 600 s to complete an upload. */
  readonly timeoutMs?: number;
}

/** An answer as received: complete, within the size limits, not yet decoded. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** The other side's ids for this answer; none of them repeats the key. */
  readonly requestIds?: readonly RequestId[];
}

/** An answer, and what was called. */
export interface CalledAnswer extends RawAnswer {
  /** The URL that was called, without its query, which may contain the key. */
  readonly calledUrl: string;
}

/** The only client that knows the key. */
export interface Http {
  /**
   * Errors: NOT_SET_UP without an address, KEY_ codes without a key or with one for another service, and those of the
   * connection and the answer.
   */
  call(call: ServiceCall, signal: AbortSignal): Promise<Result<CalledAnswer, Failure>>;
  stop(): void;
}

/**
 * What the client needs. The address is exactly as typed, without its trailing slash (service.md gap 2); undefined
 * until it is set.
 */
export interface HttpConfig {
  readonly baseUrl: string | undefined;
  readonly auth: AuthSettings;
  readonly userAgent: string;
  /** Default: directly to the service. */
  readonly route?: ProxyRoute;
}

/** Creates the service's client: no redirects, no retries of its own, limited answers. The key is read at each call. */
export function createHttp(config: HttpConfig, secrets: Secrets): Http {
  const agents = {
    http: new HttpAgent({ keepAlive: true, maxSockets: MAX_SOCKETS }),
    https: new HttpsAgent({ keepAlive: true, maxSockets: MAX_SOCKETS }),
  };

  if (config.route !== undefined) connectThrough(agents.https, config.route);

  async function call(request: ServiceCall, signal: AbortSignal): Promise<Result<CalledAnswer, Failure>> {
    const { baseUrl } = config;
    if (baseUrl === undefined) return err(notSetUp);
    const stored = await readKey(secrets);
    if (!stored.ok) return stored;
    const key = stored.value;
    const path = endpointPath(request.endpoint, request.ids ?? {});
    if (path === undefined) return err(badId());
    const url = new URL(baseUrl + path);
    const refusal = await secrets.origins?.check(key, url.origin);
    if (refusal !== undefined) return err(refusal);
    const keyInQuery = config.auth.scheme === 'query' ? [[config.auth.name, key] as const] : [];
    url.search = queryText([...withoutNames(request.query ?? [], keyInQuery), ...keyInQuery]);
    // A signal for this call only: got keeps its listener when an answer ends early, and a much later stop would make
    // the finished request fail with nothing left to handle it.
    const ended = new AbortController();
    const abort = (): void => ended.abort(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    const { isWrite } = endpoints[request.endpoint];
    const limits = { isWrite, mostBytes: lists.has(request.endpoint) ? MAX_LIST_BYTES : MAX_ANSWER_BYTES };
    const answer = await readAnswer(url, optionsFor(request, key, ended.signal), limits).finally(() =>
      signal.removeEventListener('abort', abort),
    );
    if (!answer.ok) return answer;
    const forms = keyForms(key);
    const requestIds = readRequestIds(answer.value.headers, forms);
    return ok({ ...answer.value, body: withoutKey(answer.value.body, forms), requestIds });
  }

  function optionsFor(request: ServiceCall, key: string, signal: AbortSignal): OptionsInit {
    return {
      method: endpoints[request.endpoint].method,
      signal,
      agent: agents,
      headers: {
        accept: 'application/json',
        'user-agent': config.userAgent,
        ...authHeaders(config.auth, key),
      },
      followRedirect: false,
      throwHttpErrors: false,
      retry: { limit: 0 },
      timeout: {
        lookup: CONNECT_TIMEOUT_MS,
        connect: CONNECT_TIMEOUT_MS,
        secureConnect: CONNECT_TIMEOUT_MS,
        request: request.timeoutMs ?? callTimeoutMs(request.endpoint),
      },
      maxHeaderSize: MAX_HEADER_BYTES,
      https: { rejectUnauthorized: true, minVersion: 'TLSv1.2' },
      ...(request.body === undefined ? {} : { json: request.body }),
    };
  }

  async function readAnswer(
    url: URL,
    options: OptionsInit,
    { isWrite, mostBytes }: { readonly isWrite: boolean; readonly mostBytes: number },
  ): Promise<Result<CalledAnswer, Failure>> {
    const stream = got.stream(url, options);
    const wasSent = watchSending(stream, url.protocol === 'https:');
    const lost = (failure: Failure) =>
      err(isWrite && wasSent() ? { ...failure, mayHaveHappened: true } : failure);
    // A DELETE waits for a body like a POST, but has none
    if (options.method !== 'GET' && options.json === undefined) stream.end();
    // A problem after the answer was read changes nothing; one before it rejects the loop below.
    stream.on('error', () => undefined);
    let response: IncomingMessage | undefined;
    stream.on('response', (message: IncomingMessage) => {
      response = message;
    });
    const chunks: Buffer[] = [];
    let sizeBytes = 0;
    try {
      for await (const chunk of stream) {
        const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
        sizeBytes += bytes.length;
        if (sizeBytes > mostBytes) {
          stream.destroy();
          return lost(tooLarge(url.host, mostBytes));
        }
        chunks.push(bytes);
      }
    } catch (error) {
      return lost(networkFailure(error, url.host));
    }
    if (response?.statusCode === undefined) return lost(networkFailure(new Error('no response'), url.host));
    const { statusCode: status, headers } = response;
    return ok({ calledUrl: url.origin + url.pathname, status, headers, body: Buffer.concat(chunks) });
  }

  return {
    call,
    stop() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

/** Longest wait for the whole answer of a call that sets none, milliseconds. */
export function callTimeoutMs(endpoint: EndpointName): number {
  return endpoint === 'completeMultipartUpload' ? COMPLETE_TIMEOUT_MS : CALL_TIMEOUT_MS;
}

type Query = NonNullable<ServiceCall['query']>;

/**
 * Removes parameters with the key's name that came from elsewhere, such as a next-page URL: they would be a second key.
 */
function withoutNames(query: Query, taken: Query): Query {
  return query.filter(([name]) => taken.every(([other]) => other !== name));
}

/** Encodes spaces as %20: the "+" of forms is a plus sign to servers that decode the query as part of a URL. */
function queryText(query: readonly (readonly [name: string, value: string])[]): string {
  return query.map((pair) => pair.map((text) => encodeURIComponent(text.toWellFormed())).join('=')).join('&');
}

/** Reads the key. One that cannot be read now may be fixed while the queue waits. */
async function readKey(secrets: Secrets): Promise<Result<string, Failure>> {
  try {
    const key = await secrets.apiKey();
    return key === undefined ? err(keyMissing) : ok(key);
  } catch (error) {
    if (error instanceof FailureError) return err(error.failure);
    throw error;
  }
}

/**
 * Removes the key: many error pages repeat the request, and the key must not get into messages and records that way.
 */
function withoutKey(body: Buffer, forms: readonly string[]): Buffer {
  const found = forms.filter((form) => body.includes(form));
  if (found.length === 0) return body;
  return Buffer.from(found.reduce((text, form) => text.replaceAll(form, REMOVED), body.toString('utf8')));
}

function keyForms(key: string): readonly string[] {
  const inForm = new URLSearchParams([['', key]]).toString().slice(1);
  return [inForm, ...secretForms(key)];
}

function authHeaders(auth: AuthSettings, key: string): Record<string, string> {
  if (auth.scheme === 'bearer') return { authorization: `Bearer ${key}` };
  if (auth.scheme === 'header') return { [auth.name.toLowerCase()]: `${auth.prefix ?? ''}${key}` };
  return {};
}

/**
 * Watches whether a request can have left this machine: nothing is sent before its connection is ready. Returns a
 * function that tells at any later time.
 */
function watchSending(stream: Duplex, isSecure: boolean): () => boolean {
  let wasConnected = false;
  stream.on('request', (request: ClientRequest) => {
    request.once('socket', (socket) => {
      // A kept connection is already open; a listener on it would stay for as long as it lives
      if (!socket.connecting) wasConnected = true;
      else
        socket.once(isSecure ? 'secureConnect' : 'connect', () => {
          wasConnected = true;
        });
    });
  });
  return () => wasConnected;
}
