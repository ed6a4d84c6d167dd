import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { CheckLine } from '../../../shared/domain/health.ts';
import type { Failure } from '../../../shared/domain/failure.ts';
import type { ProxyRoute } from './proxy-route.ts';
import type { Duplex } from 'node:stream';
import { connect, type PeerCertificate, type TLSSocket } from 'node:tls';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { ready } from './proxy-route.ts';
import { type Target } from './open-tunnel.ts';
import { certificateAdvice, networkFailure } from './failures.ts';
import { failureForPerson } from './call-service.ts';

const DAY_MS = 86_400_000;
/** A certificate that expires sooner deserves a warning, milliseconds: automatic renewal is due 30 days before. */
const WARN_VALIDITY_MS = 14 * DAY_MS;

/** One line of the test of the connection. */
export interface ConnectionLine extends CheckLine {
  readonly name: 'address' | 'tls' | 'service' | 'permission' | 'clock';
}

/** The line `address`: whether the name of the service resolves. The lookup itself cannot be aborted. */
export async function addressLine(url: URL, route: ProxyRoute, signal: AbortSignal): Promise<ConnectionLine> {
  const target = targetOf(url);
  const { hostname: host } = target;
  const proxy = url.protocol === 'http:' ? undefined : route.proxyFor(target);
  if (proxy?.ok === false) return failedLine('address', proxy.error);
  if (proxy !== undefined) {
    const resolver = isIP(host) === 0 ? ', which resolves the name' : '';
    const text = `${host} is reached through the proxy ${proxy.value}${resolver}.`;
    return { name: 'address', state: 'ok', text };
  }
  if (isIP(host) !== 0)
    return {
      name: 'address',
      state: 'ok',
      text: `${host} is an IP address, so there is no name to look up.`,
    };
  try {
    const found = await inTime(lookup(host, { all: true }), signal);
    const addresses = found.map(({ address }) => address).join(', ');
    return { name: 'address', state: 'ok', text: `${host} resolves to ${addresses}.` };
  } catch (error) {
    return failedLine('address', unknownName(host, error));
  }
}

/** The line `tls`: the certificate of the service, who issued it, and how long it is valid. */
export async function tlsLine(
  url: URL,
  { route, nowMs }: { readonly route: ProxyRoute; readonly nowMs: number },
  signal: AbortSignal,
): Promise<ConnectionLine> {
  if (url.protocol === 'http:')
    return { name: 'tls', state: 'skipped', text: 'Not used: the service is on this PC.' };
  const looked = await lookAtTls(url, route, signal);
  if (!looked.ok) return failedLine('tls', looked.error);
  const { protocol, issuer, validUntilMs, refusal } = looked.value;
  if (refusal !== undefined) return failedLine('tls', refused(url.host, looked.value, refusal, nowMs));
  const until = validUntilMs === undefined ? 'an unknown date' : dayOf(validUntilMs);
  const text = `${protocol}; the certificate, issued by ${issuer}, is valid until ${until}.`;
  const isEnding = validUntilMs !== undefined && validUntilMs - nowMs < WARN_VALIDITY_MS;
  return { name: 'tls', state: isEnding ? 'warning' : 'ok', text };
}

/** A failed line, with the message of its failure. */
export function failedLine(name: ConnectionLine['name'], failure: Failure): ConnectionLine {
  return { name, state: 'failed', text: failure.message, failure };
}

function inTime<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

const dayOf = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 10);

function unknownName(host: string, error: unknown): Failure {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  return {
    code: 'NETWORK',
    message: `The host name ${host} could not be resolved (${code}).`,
    advice: 'Check the service address, the network and the DNS server.',
    retryable: true,
  };
}

function refused(host: string, { issuer, validUntilMs }: TlsFacts, reason: string, nowMs: number): Failure {
  const isExpired = validUntilMs !== undefined && validUntilMs < nowMs;
  const until =
    validUntilMs === undefined ? '' : ` and ${isExpired ? 'expired' : 'expires'} on ${dayOf(validUntilMs)}`;
  return {
    code: 'TLS_REFUSED',
    message: `The certificate of ${host} was refused (${reason}). It was issued by ${issuer}${until}.`,
    advice: certificateAdvice(isExpired ? 'CERT_HAS_EXPIRED' : reason),
    retryable: true,
  };
}

const HTTPS_PORT = 443;

/** Longest name of an issuer that is shown, characters. */
const LONGEST_ISSUER = 100;

/** What the other side presented when a connection was opened. */
interface TlsFacts {
  readonly protocol: string;
  readonly issuer: string;
  /** Milliseconds since 1970; undefined if the certificate states no readable time. */
  readonly validUntilMs: number | undefined;
  /** Why the certificate is not trusted: the code of the TLS library; undefined if it is trusted. */
  readonly refusal: string | undefined;
}

/** The other end of a connection to this address. */
function targetOf(url: URL): Target {
  const port = url.port === '' ? HTTPS_PORT : Number(url.port);
  return { hostname: url.hostname.replace(/^\[|\]$/g, ''), port };
}

/** Opens a TLS connection as calls do, reads the certificate, and closes it. Nothing is sent over it. */
async function lookAtTls(
  url: URL,
  route: ProxyRoute,
  signal: AbortSignal,
): Promise<Result<TlsFacts, Failure>> {
  const target = targetOf(url);
  try {
    const socket =
      route.proxyFor(target) === undefined
        ? await openTls(target, undefined, signal)
        : await route.connect(target, (tunnel, limit) => openTls(target, tunnel, limit), signal);
    const facts = factsOf(socket);
    socket.destroy();
    return ok(facts);
  } catch (error) {
    const failure = networkFailure(error, url.host);
    return err(failureForPerson(failure, { what: 'TLS', endpoint: 'getUsers', isAborted: false }));
  }
}

async function openTls(
  { hostname: host, port }: Target,
  tunnel: Duplex | undefined,
  signal: AbortSignal,
): Promise<TLSSocket> {
  const socket = connect({
    ...(tunnel === undefined ? { host, port } : { socket: tunnel }),
    ...(isIP(host) === 0 && { servername: host }),
    minVersion: 'TLSv1.2',
    ALPNProtocols: ['http/1.1'],
    // Needed to read the issuer of a certificate that is refused; nothing is sent
    rejectUnauthorized: false,
  });
  await ready(socket, signal);
  return socket.on('error', () => undefined);
}

function factsOf(socket: TLSSocket): TlsFacts {
  const certificate = socket.getPeerCertificate();
  const validUntilMs = Date.parse(certificate.valid_to);
  return {
    protocol: socket.getProtocol() ?? 'TLS',
    issuer: issuerOf(certificate),
    validUntilMs: Number.isNaN(validUntilMs) ? undefined : validUntilMs,
    refusal: socket.authorized ? undefined : refusalOf(socket),
  };
}

/** Typed as an error, but in fact a string. */
function refusalOf({ authorizationError }: TLSSocket): string {
  const reason: unknown = authorizationError;
  return reason instanceof Error ? reason.message : String(reason);
}

function issuerOf({ issuer }: PeerCertificate): string {
  const name = [issuer.CN, issuer.O].flat().find((each) => each !== undefined && each !== '');
  return visibleName((name ?? 'an unnamed issuer').slice(0, LONGEST_ISSUER));
}
