import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, isIPv6 } from 'node:net';
import type { Duplex } from 'node:stream';
import { FailureError } from '../../../shared/domain/failure.ts';
import type { ProxyAddress } from '../core/settings/read-proxy-url.ts';
import type { Target } from './bypass-proxy.ts';
import { noTunnel, refusedTunnel } from './proxy-failures.ts';

/** 32 KiB of headers, as everywhere. */
const MAX_HEADER_BYTES = 32 * 1024;

/** What a tunnel is asked for with. */
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
    // Whoever speaks before the other side was asked anything is not that side
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
  // A tunnel that stands is not ended by the limit for its making
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
    // The certificate is the proxy's, not that of the host header
    servername: isIP(proxy.hostname) === 0 ? proxy.hostname : '',
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
  });
}
