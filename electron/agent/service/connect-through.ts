import { once } from 'node:events';
import type { Agent as HttpsAgent } from 'node:https';
import type { Duplex } from 'node:stream';
import { callbackify } from 'node:util';
import type { ProxyRoute } from './proxy-route.ts';

const HTTPS_PORT = 443;

/**
 * Has an agent open its connections through the proxy, to those hosts that are reached so. A request gets its socket
 * when tunnel and TLS stand: nothing of it is sent before. Connections are kept and used again as without a proxy.
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
      if (!connection) throw new Error('An agent makes its connections at once');
      await ready(connection, signal);
      return connection;
    };
    callbackify(() => route.connect(target, secure))((error, connection) => callback?.(error, connection));
    return undefined;
  };
}

/** Resolves when a TLS connection stands; one that does not come to stand is ended. */
export async function ready(connection: Duplex, signal: AbortSignal): Promise<void> {
  try {
    await once(connection, 'secureConnect', { signal });
  } catch (error) {
    connection.on('error', () => undefined).destroy();
    throw error;
  }
}
