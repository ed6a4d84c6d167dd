import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { CheckLine } from '../../../shared/domain/health.ts';
import type { Failure } from '../../../shared/domain/failure.ts';
import { lookAtTls, targetOf, type TlsFacts } from './look-at-tls.ts';
import type { ProxyRoute } from './proxy-route.ts';

const DAY_MS = 86_400_000;
/** A certificate that ends sooner is worth a word, milliseconds: renewal by itself is due 30 days before. */
const WARN_VALIDITY_MS = 14 * DAY_MS;

/** One line of the test of the connection. */
export interface ConnectionLine extends CheckLine {
  readonly name: 'address' | 'tls' | 'service' | 'permission' | 'clock';
}

/** The line `address`: does the name of the service lead anywhere. The lookup itself cannot be broken off. */
export async function addressLine(url: URL, route: ProxyRoute, signal: AbortSignal): Promise<ConnectionLine> {
  const target = targetOf(url);
  const { hostname: host } = target;
  const proxy = url.protocol === 'http:' ? undefined : route.proxyFor(target);
  if (proxy !== undefined) {
    const text = `${host} is reached through the proxy ${proxy}, which looks its name up.`;
    return { name: 'address', state: 'ok', text };
  }
  if (isIP(host) !== 0)
    return { name: 'address', state: 'ok', text: `${host}; there is no name to look up.` };
  try {
    const found = await inTime(lookup(host, { all: true }), signal);
    const addresses = found.map(({ address }) => address).join(', ');
    return { name: 'address', state: 'ok', text: `${host} is ${addresses}.` };
  } catch (error) {
    return failedLine('address', unknownName(host, error));
  }
}

/** The line `tls`: the certificate of the service, who issued it, and how long it is good. */
export async function tlsLine(
  url: URL,
  { route, nowMs }: { readonly route: ProxyRoute; readonly nowMs: number },
  signal: AbortSignal,
): Promise<ConnectionLine> {
  if (url.protocol === 'http:')
    return { name: 'tls', state: 'skipped', text: 'Not used: the service is on this machine.' };
  const looked = await lookAtTls(url, route, signal);
  if (!looked.ok) return failedLine('tls', looked.error);
  const { protocol, issuer, validUntilMs, refusal } = looked.value;
  if (refusal !== undefined) return failedLine('tls', refused(url.host, looked.value, refusal));
  const until = validUntilMs === undefined ? 'an unknown day' : dayOf(validUntilMs);
  const text = `${protocol}; the certificate of ${issuer} is valid until ${until}.`;
  const isEnding = validUntilMs !== undefined && validUntilMs - nowMs < WARN_VALIDITY_MS;
  return { name: 'tls', state: isEnding ? 'warning' : 'ok', text };
}

/** A line that failed says why in the words of its failure. */
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
    message: `The name ${host} leads to no address (${code}).`,
    advice: 'Check the spelling of baseUrl, the network and its name server.',
    retryable: true,
  };
}

function refused(host: string, { issuer, validUntilMs }: TlsFacts, reason: string): Failure {
  const until = validUntilMs === undefined ? '' : ` and is valid until ${dayOf(validUntilMs)}`;
  return {
    code: 'TLS_REFUSED',
    message: `The certificate of ${host} was refused (${reason}). It was issued by ${issuer}${until}.`,
    advice:
      'Check the clock of this PC and whether a proxy inspects TLS; its certificate must be in the system store.',
    retryable: true,
  };
}
