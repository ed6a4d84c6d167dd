import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, isIPv6 } from 'node:net';
import type { Duplex } from 'node:stream';
import { FailureError, type Failure } from '../../../shared/domain/failure.ts';
import type { ProxyAddress } from '../core/settings/choose-proxy.ts';
import { errorCode, ON_HOLD, tlsFailure } from './failures.ts';

/** 32 KiB of headers, as everywhere. */
const MAX_HEADER_BYTES = 32 * 1024;

/** The other end of a connection. */
export interface Target {
  /** A name, or an address without brackets. */
  readonly hostname: string;
  readonly port: number;
}

/** How a tunnel is requested. */
export interface TunnelRequest {
  readonly proxy: ProxyAddress;
  /** `name:password`; sent with the first request, which has no body: nothing is ever sent twice. */
  readonly credentials: string | undefined;
  readonly signal: AbortSignal;
}

/** `host:port` as CONNECT wants it. */
export function authorityOf({ hostname, port }: Target): string {
  return `${isIPv6(hostname) ? `[${hostname}]` : hostname}:${port}`;
}

/**
 * Asks the proxy for a connection to the target. Rejects with the signal's reason, or with a `FailureError`:
 * PROXY_AUTH, PROXY_REFUSED, TLS_REFUSED for the certificate of the proxy, NETWORK.
 */
export function openTunnel(target: Target, { proxy, credentials, signal }: TunnelRequest): Promise<Duplex> {
  const { promise, resolve, reject } = Promise.withResolvers<Duplex>();
  const way = { proxy: proxy.host, host: authorityOf(target) };
  const request = askFor(way.host, proxy, credentials);
  const abort = (): void => {
    reject(signal.reason);
    request.destroy();
  };
  request.once('connect', (response: IncomingMessage, tunnel: Duplex, head: Buffer) => {
    const { statusCode: status = 0 } = response;
    // The target sends nothing before it is asked: early bytes come from something else
    if (status >= 200 && status < 300 && head.length === 0) return resolve(tunnel);
    tunnel.on('error', () => undefined).destroy();
    const schemes = response.headers['proxy-authenticate']?.toString();
    const failure = refusedTunnel(way, { status, schemes, hadCredentials: credentials !== undefined });
    reject(new FailureError(failure));
  });
  request.on('error', (error) => reject(new FailureError(noTunnel(way, error), { cause: error })));
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  else request.end();
  // The limit for opening a tunnel does not end one that is open
  return promise.finally(() => signal.removeEventListener('abort', abort));
}

function askFor(authority: string, proxy: ProxyAddress, credentials: string | undefined): ClientRequest {
  const open = proxy.protocol === 'https:' ? httpsRequest : httpRequest;
  const basic = credentials === undefined ? undefined : Buffer.from(credentials).toString('base64');
  return open({
    method: 'CONNECT',
    host: proxy.hostname,
    port: proxy.port,
    path: authority,
    agent: false,
    headers: {
      host: authority,
      connection: 'keep-alive',
      'proxy-connection': 'keep-alive',
      ...(basic !== undefined && { 'proxy-authorization': `Basic ${basic}` }),
    },
    maxHeaderSize: MAX_HEADER_BYTES,
    insecureHTTPParser: false,
    // The certificate must be that of the proxy, not of the host header
    servername: isIP(proxy.hostname) === 0 ? proxy.hostname : '',
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
  });
}

/** Longest text of a system's error or a header that is kept, characters. */
const MAX_DETAIL_LENGTH = 200;

/** A way through a proxy for messages: `proxy` and `host` with their ports. */
interface ProxyWay {
  readonly proxy: string;
  readonly host: string;
}

/** The proxy's answer to CONNECT if it opened no tunnel. */
interface ProxyAnswer {
  readonly status: number;
  /** The `Proxy-Authenticate` header: ways to sign in. */
  readonly schemes: string | undefined;
  readonly hadCredentials: boolean;
}

/** Statuses that mean that a proxy cannot get through at the moment. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429]);

/** The failure for an answer to CONNECT that opened no tunnel. */
function refusedTunnel(way: ProxyWay, answer: ProxyAnswer): Failure {
  const { status } = answer;
  if (status === 407) return signInFailure(way, answer);
  if (status >= 500 || PASSING.has(status)) {
    return {
      code: 'NETWORK',
      message: `The proxy ${way.proxy} could not connect to ${way.host} (HTTP ${status}).`,
      advice: `Check whether the proxy can reach ${way.host}. The agent will retry automatically; nothing is lost.`,
      retryable: true,
      status,
    };
  }
  return {
    code: 'PROXY_REFUSED',
    message: `The proxy ${way.proxy} did not connect to ${way.host} (HTTP ${status}).`,
    advice: `Check the proxy address, or ask the proxy administrator to allow ${way.host}. ${ON_HOLD}`,
    retryable: true,
    status,
  };
}

/**
 * The failure if no tunnel was opened: the proxy is unreachable, has a wrong certificate, or dropped the connection.
 */
function noTunnel({ proxy }: ProxyWay, error: unknown): Failure {
  const code = errorCode(error);
  const detail = (error instanceof Error ? error.message : String(error)).slice(0, MAX_DETAIL_LENGTH);
  const refused = tlsFailure(code, `the proxy ${proxy}`, detail);
  if (refused !== undefined) return refused;
  return {
    code: 'NETWORK',
    message: `No usable connection to the proxy ${proxy}${code === '' ? '' : ` (${code})`}.`,
    advice: 'Check the network and the proxy address. The agent will retry automatically; nothing is lost.',
    retryable: true,
    detail,
  };
}

/** The failure if an open tunnel ended before the other side had proved its identity. */
export function brokenTunnel({ proxy, host }: ProxyWay, error: unknown): Failure {
  const code = errorCode(error);
  return {
    code: 'NETWORK',
    message: `The connection to ${host} through the proxy ${proxy} dropped${code === '' ? '' : ` (${code})`}.`,
    advice: 'Check the network and the proxy. The agent will retry automatically; nothing is lost.',
    retryable: true,
  };
}

/** The failure if nothing came back in time from the proxy or through it. */
export function lateTunnel({ proxy, host }: ProxyWay, limitMs: number): Failure {
  return {
    code: 'NETWORK',
    message: `No connection to ${host} through the proxy ${proxy} within ${Math.round(limitMs / 1000)} s.`,
    advice: 'Check the network and the proxy. The agent will retry automatically; nothing is lost.',
    retryable: true,
  };
}

const CORRECT_CREDENTIALS =
  'Correct the user name and password in the file specified by proxyCredentialsFile in the settings or, if none is set, in the proxy environment variable.';
const SET_CREDENTIALS =
  'Put the user name and password in a file as name:password, and set proxyCredentialsFile in the settings to its path.';

function signInFailure({ proxy, host }: ProxyWay, { status, schemes, hadCredentials }: ProxyAnswer): Failure {
  const names = (schemes ?? '').match(/(?<=^|,\s{0,4})[A-Za-z]{2,20}(?=\s|,|$)/g) ?? [];
  const takesBasic = names.length === 0 || names.some((name) => name.toLowerCase() === 'basic');
  const wish = hadCredentials ? 'rejected the user name and password' : 'requires a user name and password';
  const base = { code: 'PROXY_AUTH', retryable: true, status } as const;
  if (takesBasic) {
    return {
      ...base,
      message: `The proxy ${proxy} ${wish} (HTTP ${status}).`,
      advice: `${hadCredentials ? CORRECT_CREDENTIALS : SET_CREDENTIALS} ${ON_HOLD}`,
    };
  }
  return {
    ...base,
    message: `The proxy ${proxy} requires a sign-in method that the agent does not support (HTTP ${status}: ${names.join(', ')}).`,
    advice: `Ask the proxy administrator to allow Basic authentication or to exempt ${host}, or use a proxy on this PC that signs in to ${proxy}. ${ON_HOLD}`,
  };
}
