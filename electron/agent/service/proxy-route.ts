import type { Duplex } from 'node:stream';
import { FailureError } from '../../../shared/domain/failure.ts';
import type { AgentConfig } from '../settings/agent-config.ts';
import { chooseProxy } from '../core/settings/choose-proxy.ts';
import type { ProxyAddress } from '../core/settings/read-proxy-url.ts';
import type { Clock, Ports } from '../ports.ts';
import { isBypassed, isOwnMachine, type Target } from './bypass-proxy.ts';
import { authorityOf, openTunnel } from './open-tunnel.ts';
import { brokenTunnel, lateTunnel } from './proxy-failures.ts';
import { tlsFailure, errorCode } from './failures.ts';

/** From the first packet to the proxy to a connection that is ready, TLS with the target included, milliseconds. */
const CONNECT_TIMEOUT_MS = 15_000;
/** How long what the proxy refused is not shown to it again, milliseconds: a directory locks accounts after a few tries. */
const REFUSED_FOR_MS = 600_000;

/** What decides about the way out. */
export type ProxyConfig = Pick<AgentConfig, 'settings' | 'proxyVariables'>;

/** Makes a connection ready for its use over a tunnel; ends both when that fails or `signal` is aborted first. */
type Handshake<Connection> = (tunnel: Duplex, signal: AbortSignal) => Promise<Connection>;

/** The way out of this PC: one for all clients, so that what one learns about the proxy counts for the others. */
export interface ProxyRoute {
  /** Name and port of the proxy that the target is reached through; undefined: directly. */
  proxyFor(target: Target): string | undefined;
  /**
   * A connection through the proxy, ready when `handshake` says so. Rejects with its error, with the signal's reason, or
   * with a `FailureError`: PROXY_AUTH, PROXY_REFUSED, CONFIG_PROXY, TLS_REFUSED, NETWORK.
   */
  connect<Connection>(
    target: Target,
    handshake: Handshake<Connection>,
    signal?: AbortSignal,
  ): Promise<Connection>;
  /** Breaks off what is being opened; connections that stand are their owners'. */
  stop(): void;
}

/** Opens nothing yet. `timeoutMs` is for tests. */
export function createProxyRoute(
  { settings, proxyVariables }: ProxyConfig,
  { clock, secrets }: Pick<Ports, 'clock' | 'secrets'>,
  timeoutMs = CONNECT_TIMEOUT_MS,
): ProxyRoute {
  const choice = chooseProxy(settings.proxy, proxyVariables);
  const { proxyCredentialsFile: file } = settings;
  const stopping = new AbortController();
  const refusals = createRefusals(clock);

  function isReachedThrough(target: Target): boolean {
    if (choice.kind === 'direct' || isOwnMachine(target)) return false;
    return choice.kind === 'unusable' || !isBypassed(target, choice.bypass);
  }

  /** The file wins over what the environment says, and is read each time: a new password counts at once. */
  const readCredentials = async (proxy: ProxyAddress): Promise<string | undefined> =>
    file === undefined ? proxy.credentials : secrets.proxyCredentials?.(file);

  async function open(proxy: ProxyAddress, target: Target, signal: AbortSignal): Promise<Duplex> {
    const credentials = await readCredentials(proxy);
    refusals.check(credentials);
    try {
      return await openTunnel(target, { proxy, credentials, signal });
    } catch (error) {
      refusals.note(credentials, error);
      throw error;
    }
  }

  return {
    proxyFor(target) {
      if (!isReachedThrough(target)) return undefined;
      return choice.kind === 'proxy' ? choice.address.host : 'that the environment names';
    },
    async connect(target, handshake, outer) {
      if (choice.kind === 'unusable') throw new FailureError(choice.failure);
      if (choice.kind === 'direct') throw new Error('There is no proxy to connect through');
      const proxy = choice.address;
      const late = AbortSignal.timeout(timeoutMs);
      const signal = AbortSignal.any([late, stopping.signal, ...(outer === undefined ? [] : [outer])]);
      const way = { proxy: proxy.host, host: authorityOf(target) };
      try {
        const tunnel = await open(proxy, target, signal);
        // What happens to it shows on the connection that is made over it
        tunnel.on('error', () => undefined);
        return await handshake(tunnel, signal);
      } catch (error) {
        if (late.aborted) throw new FailureError(lateTunnel(way, timeoutMs), { cause: error });
        if (error instanceof FailureError || signal.aborted) throw error;
        if (tlsFailure(errorCode(error), way.host, '') !== undefined) throw error;
        throw new FailureError(brokenTunnel(way, error), { cause: error });
      }
    },
    stop: () => stopping.abort(new Error('The way out is closed')),
  };
}

/** Keeps name and password that were refused from being tried over and over. */
function createRefusals(clock: Clock) {
  let last:
    | { readonly credentials: string | undefined; readonly error: FailureError; readonly atMs: number }
    | undefined;
  return {
    /** Throws what the proxy said about these when it was asked a while ago. */
    check(credentials: string | undefined): void {
      if (credentials === undefined || last?.credentials !== credentials) return;
      if (clock.monotonic() - last.atMs < REFUSED_FOR_MS) throw last.error;
    },
    note(credentials: string | undefined, error: unknown): void {
      if (error instanceof FailureError && error.failure.status === 407)
        last = { credentials, error, atMs: clock.monotonic() };
    },
  };
}
