import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { proxyConf, storeConf, swiftConf, swiftStores, type SwiftPlace } from './swift-config.ts';

/** A Swift that serves S3 on loopback until it is stopped. */
export interface RunningSwift {
  readonly endpoint: string;
  stop(): Promise<void>;
}

/** Time limit for starting; about two seconds are usual, a busy machine needs more. */
const START_LIMIT_MS = 60_000;
const LOOK_AGAIN_MS = 100;
/** How long a server may take to stop before it is killed. */
const STOP_LIMIT_MS = 5000;
const run = promisify(execFile);

/** Starts the installed Swift on free ports in a temporary folder, without a service manager. */
export async function startSwift(): Promise<RunningSwift> {
  const place = await preparePlace();
  const children = await Promise.all([...swiftStores, 'proxy'].map((server) => startServer(server, place)));
  const swift: RunningSwift = {
    endpoint: `http://127.0.0.1:${place.ports.proxy}`,
    async stop() {
      await Promise.all(children.map(endServer));
      await rm(place.folder, { recursive: true, force: true });
    },
  };
  try {
    await waitUntilHealthy(swift.endpoint);
    return swift;
  } catch (error) {
    const log = await readFile(join(place.folder, 'log', 'proxy.log'), 'utf8').catch(() => '');
    await swift.stop();
    throw new Error(`Swift did not start. The last of its log:\n${log.slice(-2000)}`, { cause: error });
  }
}

async function preparePlace(): Promise<SwiftPlace> {
  const folder = await mkdtemp(join(tmpdir(), 'swift-'));
  const [proxy = 0, object = 0, container = 0, account = 0] = await findFreePorts(4);
  const place = { folder, user: userInfo().username, ports: { proxy, object, container, account } };
  const etc = join(folder, 'etc');
  await Promise.all(['etc', 'srv/d1', 'log'].map((name) => mkdir(join(folder, name), { recursive: true })));
  await writeFile(join(etc, 'swift.conf'), swiftConf);
  await writeFile(join(etc, 'proxy-server.conf'), proxyConf(place));
  for (const store of swiftStores) {
    await writeFile(join(etc, `${store}-server.conf`), storeConf(store, place));
    const ring = (...args: string[]) =>
      run('swift-ring-builder', [`${store}.builder`, ...args], { cwd: etc });
    await ring('create', '4', '1', '1');
    await ring('add', `r1z1-127.0.0.1:${place.ports[store]}/d1`, '1');
    await ring('rebalance');
  }
  return place;
}

/** Ports that were free a moment ago, opened at the same time so that they differ. */
async function findFreePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  const ports = await Promise.all(
    servers.map(
      (server) =>
        new Promise<number>((resolve, reject) => {
          server.once('error', reject);
          server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
        }),
    ),
  );
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

async function startServer(server: string, { folder }: SwiftPlace): Promise<ChildProcess> {
  const log = await open(join(folder, 'log', `${server}.log`), 'w');
  const child = spawn(`swift-${server}-server`, [join(folder, 'etc', `${server}-server.conf`), '-v'], {
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  });
  child.once('error', () => undefined); // a server that could not start shows as one that never becomes healthy
  await log.close();
  return child;
}

async function waitUntilHealthy(endpoint: string): Promise<void> {
  const deadline = AbortSignal.timeout(START_LIMIT_MS);
  for (;;) {
    deadline.throwIfAborted();
    const answer = await fetch(`${endpoint}/healthcheck`, { signal: deadline }).catch(() => undefined);
    if (answer?.ok) return;
    await sleep(LOOK_AGAIN_MS);
  }
}

/** Stops a server and its process group, gracefully at first. */
async function endServer(child: ChildProcess): Promise<void> {
  const { pid } = child;
  if (pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  process.kill(-pid, 'SIGTERM');
  const killer = globalThis.setTimeout(() => process.kill(-pid, 'SIGKILL'), STOP_LIMIT_MS);
  await ended;
  clearTimeout(killer);
}
