import type { Failure } from '../../../shared/domain/failure.ts';
import { errorCode, tlsFailure } from './failures.ts';

/** Longest text of a system's error or a header that is kept, characters. */
const MAX_DETAIL_LENGTH = 200;

/** A way through a proxy, as messages name it: `proxy` and `host` with their ports. */
export interface ProxyWay {
  readonly proxy: string;
  readonly host: string;
}

/** The proxy's answer to CONNECT, other than that the tunnel stands. */
export interface ProxyAnswer {
  readonly status: number;
  /** The `Proxy-Authenticate` header: ways to sign in. */
  readonly schemes: string | undefined;
  readonly hadCredentials: boolean;
}

/** Statuses by which a proxy says that it could not get through just now. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429]);

/** What an answer to CONNECT means when it is no tunnel. */
export function refusedTunnel(way: ProxyWay, answer: ProxyAnswer): Failure {
  const { status } = answer;
  if (status === 407) return signInFailure(way, answer);
  if (status >= 500 || PASSING.has(status)) {
    return {
      code: 'NETWORK',
      message: `The proxy ${way.proxy} could not reach ${way.host} (HTTP ${status}).`,
      advice: 'Check the network behind the proxy. It is tried again by itself; nothing is lost.',
      retryable: true,
      status,
    };
  }
  return {
    code: 'PROXY_REFUSED',
    message: `The proxy ${way.proxy} does not let this PC through to ${way.host} (HTTP ${status}).`,
    advice: `Ask whoever runs the proxy to allow ${way.host}. The queue waits and nothing is lost.`,
    retryable: true,
    status,
  };
}

/** No tunnel came about: the proxy is out of reach, showed a wrong certificate, or broke off. */
export function noTunnel({ proxy }: ProxyWay, error: unknown): Failure {
  const code = errorCode(error);
  const detail = (error instanceof Error ? error.message : String(error)).slice(0, MAX_DETAIL_LENGTH);
  const refused = tlsFailure(code, `the proxy ${proxy}`, detail);
  if (refused !== undefined) return refused;
  return {
    code: 'NETWORK',
    message: `No connection to the proxy ${proxy}${code === '' ? '' : ` (${code})`}.`,
    advice: 'Check the network and the address of the proxy. It is tried again by itself; nothing is lost.',
    retryable: true,
    detail,
  };
}

/** The tunnel stood, and ended before the other side had proved who it is. */
export function brokenTunnel({ proxy, host }: ProxyWay, error: unknown): Failure {
  const code = errorCode(error);
  return {
    code: 'NETWORK',
    message: `The connection to ${host} through the proxy ${proxy} broke${code === '' ? '' : ` (${code})`}.`,
    advice: 'Check the network and the proxy. It is tried again by itself; nothing is lost.',
    retryable: true,
  };
}

/** Nothing came back in time, of the proxy or through it. */
export function lateTunnel({ proxy, host }: ProxyWay, limitMs: number): Failure {
  return {
    code: 'NETWORK',
    message: `The proxy ${proxy} made no connection to ${host} within ${Math.round(limitMs / 1000)} s.`,
    advice: 'Check the network and the proxy. It is tried again by itself; nothing is lost.',
    retryable: true,
  };
}

function signInFailure({ proxy, host }: ProxyWay, { status, schemes, hadCredentials }: ProxyAnswer): Failure {
  const names = (schemes ?? '').match(/(?<=^|,\s{0,4})[A-Za-z]{2,20}(?=\s|,|$)/g) ?? [];
  const takesBasic = names.length === 0 || names.some((name) => name.toLowerCase() === 'basic');
  const wish = hadCredentials ? 'refused its name and password' : 'wants a name and a password';
  const base = { code: 'PROXY_AUTH', retryable: true, status } as const;
  if (takesBasic) {
    return {
      ...base,
      message: `The proxy ${proxy} ${wish} (HTTP ${status}).`,
      advice:
        'Put them, as name:password, into the file that proxyCredentialsFile names in the settings. The queue waits and nothing is lost.',
    };
  }
  return {
    ...base,
    message: `The proxy ${proxy} takes no password in the form that this program knows (HTTP ${status}: ${names.join(', ')}).`,
    advice: `Ask whoever runs the proxy for the Basic scheme or for an exception for ${host}, or name a proxy on this PC that signs in there. The queue waits and nothing is lost.`,
  };
}
