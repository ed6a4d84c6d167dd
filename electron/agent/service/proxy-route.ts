import type { Duplex } from 'node:stream';
import { FailureError, type Failure } from '../../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import type { AgentConfig } from '../settings/load-settings.ts';
import { chooseProxy, type ProxyAddress } from '../core/settings/choose-proxy.ts';
import type { Clock, Ports, Logger } from '../ports.ts';
import { authorityOf, openTunnel, brokenTunnel, lateTunnel, type Target } from './open-tunnel.ts';
import { tlsFailure, errorCode } from './failures.ts';
import { BlockList, isIP, isIPv6 } from 'node:net';
import { once } from 'node:events';
import type { Agent as HttpsAgent } from 'node:https';
import { callbackify } from 'node:util';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';

/** From the first packet to the proxy until the connection is ready, including TLS with the target, milliseconds. */
const CONNECT_TIMEOUT_MS = 15_000;
/**
 * How long refused credentials are not sent to the proxy again, milliseconds: directories lock accounts after a few
 * tries.
 */
const REFUSED_FOR_MS = 600_000;

/** What determines the way out. */
export type ProxyConfig = Pick<AgentConfig, 'settings' | 'proxyVariables'>;

/** Makes a connection over a tunnel ready for use; ends both if that fails or `signal` is aborted first. */
type Handshake<Connection> = (tunnel: Duplex, signal: AbortSignal) => Promise<Connection>;

/**
 * The way out of this PC. All clients share one, so that what one of them learns about the proxy applies to the others.
 */
export interface ProxyRoute {
  /** Name and port of the proxy for the target, or why it cannot be used; undefined: the target is reached directly. */
  proxyFor(target: Target): Result<string, Failure> | undefined;
  /**
   * Opens a connection through the proxy, which is ready once `handshake` resolves. Rejects with its error, with the
   * signal's reason, or with a `FailureError`: PROXY_AUTH, PROXY_REFUSED, CONFIG_PROXY, TLS_REFUSED, NETWORK.
   */
  connect<Connection>(
    target: Target,
    handshake: Handshake<Connection>,
    signal?: AbortSignal,
  ): Promise<Connection>;
  /** Aborts connections that are being opened; open ones belong to their owners. */
  stop(): void;
}

/** Creates the route; opens nothing yet. `timeoutMs` is for tests. */
export function createProxyRoute(
  { settings, proxyVariables }: ProxyConfig,
  { clock, secrets }: Pick<Ports, 'clock' | 'secrets'>,
  timeoutMs = CONNECT_TIMEOUT_MS,
): ProxyRoute {
  const choice = chooseProxy(settings.proxy, proxyVariables);
  const { proxyCredentialsFile: file } = settings;
  const stopping = new AbortController();
  const refusals = createRefusals(clock);

  /** The file takes precedence over the environment, and is read each time: a new password applies immediately. */
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
      if (choice.kind === 'direct' || isOwnMachine(target)) return undefined;
      if (choice.kind === 'unusable') return err(choice.failure);
      return isBypassed(target, choice.bypass) ? undefined : ok(choice.address.host);
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
        // Its errors show on the connection that is made over it
        tunnel.on('error', () => undefined);
        return await handshake(tunnel, signal);
      } catch (error) {
        if (late.aborted) throw new FailureError(lateTunnel(way, timeoutMs), { cause: error });
        if (error instanceof FailureError || signal.aborted) throw error;
        if (tlsFailure(errorCode(error), way.host, '') !== undefined) throw error;
        throw new FailureError(brokenTunnel(way, error), { cause: error });
      }
    },
    stop: () => stopping.abort(new Error('The proxy route is closed')),
  };
}

/** Keeps refused credentials from being tried over and over. */
function createRefusals(clock: Clock) {
  let last:
    | { readonly credentials: string | undefined; readonly error: FailureError; readonly atMs: number }
    | undefined;
  return {
    /** Throws the proxy's recent refusal of these credentials, if there is one. */
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

/** Whether the target is this machine: no proxy is ever used for it. */
export function isOwnMachine({ hostname }: Pick<Target, 'hostname'>): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  if (isIP(name) === 0) return name === 'localhost' || name.endsWith('.localhost');
  return LOOPBACK.check(name, familyOf(name));
}

/**
 * Whether one of the entries matches the target. `example.com`, `.example.com` and `*.example.com` match that host and
 * all below it, as in curl; an address or a range (10.0.0.0/8) matches addresses, `*` everything. An entry with a port
 * is for that port only. Invalid entries match nothing.
 */
export function isBypassed(target: Target, entries: readonly string[]): boolean {
  return entries.some((entry) => matches(target, entry.trim().toLowerCase()));
}

function matches({ hostname, port }: Target, entry: string): boolean {
  if (entry === '*') return true;
  const host = hostname.toLowerCase().replace(/\.$/, '');
  const { name, onlyPort } = splitPort(entry);
  if (onlyPort !== undefined && onlyPort !== port) return false;
  if (isIP(host) !== 0) return matchesAddress(host, name);
  const suffix = name.replace(/^\*?\./, '').replace(/\.$/, '');
  return suffix !== '' && (host === suffix || host.endsWith(`.${suffix}`));
}

function splitPort(entry: string): { readonly name: string; readonly onlyPort: number | undefined } {
  if (isIPv6(entry)) return { name: entry, onlyPort: undefined };
  const [, bracketed, plain, port] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d+))?$/.exec(entry) ?? [];
  return { name: bracketed ?? plain ?? entry, onlyPort: port === undefined ? undefined : Number(port) };
}

function matchesAddress(host: string, entry: string): boolean {
  const [network = '', bits] = entry.split('/');
  if (isIP(network) === 0 || (bits !== undefined && !/^\d{1,3}$/.test(bits))) return false;
  const most = isIPv6(network) ? 128 : 32;
  const prefix = bits === undefined ? most : Number(bits);
  if (prefix > most) return false;
  const list = new BlockList();
  list.addSubnet(network, prefix, familyOf(network));
  return list.check(host, familyOf(host));
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv6(address) ? 'ipv6' : 'ipv4');

const LOOPBACK = new BlockList();

LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');

LOOPBACK.addAddress('::1', 'ipv6');

const HTTPS_PORT = 443;

/**
 * Makes an agent open its connections through the proxy, to hosts that are reached that way. A request gets its socket
 * once tunnel and TLS are ready; nothing of it is sent before. Connections are kept and reused as without a proxy.
 */
export function connectThrough(agent: HttpsAgent, route: ProxyRoute): void {
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (options, callback) => {
    const hostname = (options.host ?? 'localhost').replace(/^\[|\]$/g, '');
    const target = { hostname, port: Number(options.port ?? HTTPS_PORT) };
    if (route.proxyFor(target) === undefined) return connect(options, callback);
    const secure = async (tunnel: Duplex, signal: AbortSignal): Promise<Duplex> => {
      const overTunnel = { ...options, socket: tunnel };
      const connection = connect(overTunnel);
      if (!connection) throw new Error('The agent did not open a connection');
      await ready(connection, signal);
      return connection;
    };
    callbackify(() => route.connect(target, secure))((error, connection) => callback?.(error, connection));
    return undefined;
  };
}

/** Resolves once a TLS connection is ready; one that fails is destroyed. */
export async function ready(connection: Duplex, signal: AbortSignal): Promise<void> {
  try {
    await once(connection, 'secureConnect', { signal });
  } catch (error) {
    connection.on('error', () => undefined).destroy();
    throw error;
  }
}

/**
 * Longest wait for the store, milliseconds: a few hundred certificates take half a second; a token that asks for a PIN
 * may never answer.
 */
const READ_LIMIT_MS = 15_000;
const messagesSchema = z.tuple([z.array(z.string())]);

let authorities: readonly string[] | undefined;

/** Trusts these certificate authorities besides Node's own, for every connection that is opened afterwards. */
export function trustAlso(certificates: readonly string[]): void {
  authorities = [...new Set([...getCACertificates('default'), ...certificates])];
  setDefaultCACertificates(authorities);
}

/** All authorities that this program trusts, if there are more than Node's own: a new thread knows only those. */
export const trustedAuthorities = (): readonly string[] | undefined => authorities;

/**
 * Adds the certificate authorities in the system's store to Node's own, for every connection that is opened afterwards:
 * desks behind a proxy that inspects TLS need its authority. For hosts that cannot be started with `--use-system-ca`.
 * The store is read in a separate thread. Never rejects: if the store cannot be read, Node's own list is used.
 */
export async function trustSystemCertificates(logger: Logger): Promise<void> {
  const reader = new Worker(new URL('./system-certificates-worker.ts', import.meta.url), { execArgv: [] });
  try {
    const messages: unknown = await once(reader, 'message', { signal: AbortSignal.timeout(READ_LIMIT_MS) });
    const [ofSystem] = messagesSchema.parse(messages);
    trustAlso(ofSystem);
    logger.debug("The system's certificate authorities are trusted", { certificates: ofSystem.length });
  } catch (error) {
    logger.warn("The system's certificate authorities could not be read; only Node's own are used", {
      error,
    });
  } finally {
    await reader.terminate();
  }
}
