import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Duplex, Readable } from 'node:stream';
import { connectByPipe, connectBySocket, type Connection, type Session } from './cdp.ts';
import type { DoubleOptions } from './control.ts';
import { openNetworkGate, trustInGate, type NetworkGate } from './network-gate.ts';

const args = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--no-startup-window',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-extensions',
  '--disable-sync',
  '--disable-dev-shm-usage',
  '--disable-renderer-backgrounding',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--font-render-hinting=none',
  '--password-store=basic',
  // The first one lets pages reach a test's own servers on this machine. The others would cost each window two more
  // processes.
  '--disable-features=LocalNetworkAccessChecks,WebUIOmniboxPopup,WebUIOmniboxFullPopup,WebUIOmniboxAimPopup,AimEnabled,SpareRendererForSitePerProcess',
  trustInGate,
  '--remote-debugging-pipe',
  '--remote-debugging-port=0',
];
/**
 * For a browser that lives for seconds: no optimising compilers, which cost more than they save; one thread for garbage
 * collection (a twelfth of a test's CPU time); and no GPU process of its own (7 %).
 */
export const shortLived = ['--js-flags=--no-opt,--no-maglev,--single-threaded-gc', '--in-process-gpu'];
const PORT_POLL_MS = 20;
/** Makes Chromium use its proxy for this machine too, which it skips by default. */
const NO_BYPASS = '<-loopback>';

/** Debian's Chromium as a process, controlled over a pipe by the process that started it and over a port by others. */
export interface ChromiumProcess extends Connection {
  /** `ws://127.0.0.1:PORT/devtools/browser/ID`, once Chromium has opened it. */
  socket(): Promise<string>;
  kill(): void;
  readonly ended: Promise<unknown>;
}

/** A new page, still stopped before its first script. */
export interface NewTarget {
  readonly targetId: string;
  readonly openerId: string | undefined;
  readonly session: Session;
}

/** The Chromium that shows the windows of the app. */
export interface Chromium {
  readonly root: Session;
  /** The context that only this app's pages share; undefined if they have all of Chromium. */
  readonly browserContextId: string | undefined;
  /** Lets pages request this address from the network; they can reach nothing else. */
  readonly allow: NetworkGate['allow'];
  /** Keeps an answer of the app for the request that carries its ticket. */
  readonly keep: NetworkGate['keep'];
  /** Called for pages that the double did not open. */
  onPopup(listener: (target: NewTarget) => void): void;
  openPage(width: number, height: number): Promise<NewTarget>;
  /** Sessions of workers, and of frames in processes of their own. */
  session(id: string): Session;
  /** `ws://...`, for Playwright's connectOverCDP. */
  endpoint(): Promise<string>;
}

/** Starts Chromium. It ends with the pipe to this process. */
export async function startChromium(
  executable: string,
  profile: string,
  more: readonly string[] = [],
): Promise<ChromiumProcess> {
  const portFile = join(profile, 'DevToolsActivePort');
  // Left by the previous start: it stays until the new port is open, and would give a test a dead address
  rmSync(portFile, { force: true });
  const child = spawn(executable, [...args, ...more, `--user-data-dir=${profile}`], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  });
  await once(child, 'spawn');
  const ended = once(child, 'exit');
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  return {
    ...connectByPipe(child.stdio[3] as Duplex, child.stdio[4] as Readable),
    async socket() {
      while (!existsSync(portFile) || !readFileSync(portFile, 'utf8').includes('\n'))
        await delay(PORT_POLL_MS);
      const [port, path] = readFileSync(portFile, 'utf8').split('\n');
      return `ws://127.0.0.1:${port}${path}`;
    },
    kill,
    ended,
  };
}

/** Opens the Chromium of the options, with a network of its own that reaches nothing unless allowed. */
export async function openChromium({ chromium, home }: DoubleOptions): Promise<Chromium> {
  const gate = await openNetworkGate();
  if (chromium.kind === 'own') {
    const ways = [`--proxy-server=${gate.url}`, `--proxy-bypass-list=${NO_BYPASS}`];
    const started = await startChromium(chromium.executable, join(home, 'chromium'), ways);
    return drive(started, { ...gate, endpoint: started.socket });
  }
  const connection = await connectBySocket(chromium.socket);
  // The context ends with this connection, and its pages with it
  const { browserContextId } = await connection.root.send('Target.createBrowserContext', {
    disposeOnDetach: true,
    proxyServer: gate.url,
    proxyBypassList: NO_BYPASS,
  });
  return drive(connection, {
    ...gate,
    endpoint: async () => chromium.socket,
    browserContextId,
  });
}

async function drive(
  { root, session }: Connection,
  own: Pick<Chromium, 'allow' | 'keep' | 'endpoint'> & { readonly browserContextId?: string },
): Promise<Chromium> {
  const opened = new EventEmitter();
  const targets = new Map<string, NewTarget>();
  const popups = new Set<(target: NewTarget) => void>();
  const inContext = own.browserContextId === undefined ? {} : { browserContextId: own.browserContextId };
  root.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
    const { targetId, openerId, type, browserContextId } = targetInfo;
    const isOurs = own.browserContextId === undefined || browserContextId === own.browserContextId;
    const attached = session(sessionId);
    if (type !== 'page' || !isOurs)
      return void attached.send('Runtime.runIfWaitingForDebugger').catch(() => undefined);
    const target = { targetId, openerId, session: attached };
    if (openerId !== undefined) return popups.forEach((listener) => listener(target));
    targets.set(targetId, target);
    return void opened.emit(targetId);
  });
  await root.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true });
  return {
    root,
    browserContextId: own.browserContextId,
    allow: own.allow,
    keep: own.keep,
    endpoint: own.endpoint,
    session,
    onPopup: (listener) => void popups.add(listener),
    async openPage(width, height) {
      const asked = { url: 'about:blank', width, height, newWindow: true, ...inContext };
      const { targetId } = await root.send('Target.createTarget', asked);
      if (!targets.has(targetId)) await new Promise((resolve) => opened.once(targetId, resolve));
      return targets.get(targetId)!;
    },
  };
}
