import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect, type PeerCertificate, type TLSSocket } from 'node:tls';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import type { Failure } from '../../../shared/domain/failure.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { ready, type ProxyRoute } from './proxy-route.ts';
import { type Target } from './open-tunnel.ts';
import { networkFailure } from './failures.ts';

const HTTPS_PORT = 443;
/** Longest name of an issuer that is shown, characters. */
const LONGEST_ISSUER = 100;

/** What the other side showed when a connection was opened. */
export interface TlsFacts {
  readonly protocol: string;
  readonly issuer: string;
  /** Milliseconds since 1970; undefined when the certificate states no time that can be read. */
  readonly validUntilMs: number | undefined;
  /** Why the certificate is not trusted: the code of the TLS library; undefined when it is. */
  readonly refusal: string | undefined;
}

/** The other end of a connection to this address. */
export function targetOf(url: URL): Target {
  const port = url.port === '' ? HTTPS_PORT : Number(url.port);
  return { hostname: url.hostname.replace(/^\[|\]$/g, ''), port };
}

/** Opens a TLS connection as calls do, looks at the certificate, and closes it. Nothing is sent over it. */
export async function lookAtTls(
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
    return err(networkFailure(error, url.host));
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
    // Only so can a certificate that is refused name its issuer; nothing is sent
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

/** Typed as an error, and a text in fact. */
function refusalOf({ authorizationError }: TLSSocket): string {
  const reason: unknown = authorizationError;
  return reason instanceof Error ? reason.message : String(reason);
}

function issuerOf({ issuer }: PeerCertificate): string {
  const name = [issuer.CN, issuer.O].flat().find((each) => each !== undefined && each !== '');
  return visibleName((name ?? 'an unnamed issuer').slice(0, LONGEST_ISSUER));
}
