import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Duplex, Readable } from 'node:stream';
import { connect, type Session } from './cdp.ts';
import { openNetworkGate } from './network-gate.ts';

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
  // The first: a test's own servers on this machine can be asked. The others cost each window two processes more.
  '--disable-features=LocalNetworkAccessChecks,WebUIOmniboxPopup,WebUIOmniboxFullPopup,WebUIOmniboxAimPopup,AimEnabled',
  '--remote-debugging-pipe',
  '--remote-debugging-port=0',
];
const PORT_POLL_MS = 20;

/** A page as it is made, still stopped before its first script. */
export interface NewTarget {
  readonly targetId: string;
  readonly openerId: string | undefined;
  readonly session: Session;
}

/** Debian's Chromium, which the double drives over a pipe and the test over a port. It ends with its pipe. */
export interface Chromium {
  readonly root: Session;
  /** Lets pages ask the network for this address; they reach nothing else. */
  allow(url: string): void;
  /** Calls for pages that the double did not ask for. */
  onPopup(listener: (target: NewTarget) => void): void;
  openPage(width: number, height: number): Promise<NewTarget>;
  /** Sessions of frames in processes of their own, of workers. */
  session(id: string): Session;
  /** `http://127.0.0.1:PORT`, for Playwright's connectOverCDP. */
  endpoint(): Promise<string>;
}

export async function launchChromium(executable: string, profile: string): Promise<Chromium> {
  const portFile = join(profile, 'DevToolsActivePort');
  // Of the start before: it stays until the new port is open, and would lead a test to nobody
  rmSync(portFile, { force: true });
  const gate = await openNetworkGate();
  // Chromium leaves its proxy aside for this machine unless it is told so
  const ways = [`--proxy-server=${gate.url}`, '--proxy-bypass-list=<-loopback>'];
  const child = spawn(executable, [...args, ...ways, `--user-data-dir=${profile}`], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  });
  await once(child, 'spawn');
  process.once('exit', () => child.kill('SIGKILL'));
  const connection = connect(child.stdio[3] as Duplex, child.stdio[4] as Readable);
  const { root } = connection;
  const opened = new EventEmitter();
  const targets = new Map<string, NewTarget>();
  const popups = new Set<(target: NewTarget) => void>();
  root.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
    const session = connection.session(sessionId);
    const { targetId, openerId, type } = targetInfo;
    if (type !== 'page') return void session.send('Runtime.runIfWaitingForDebugger').catch(() => undefined);
    const target = { targetId, openerId, session };
    if (openerId !== undefined) return popups.forEach((listener) => listener(target));
    targets.set(targetId, target);
    return void opened.emit(targetId);
  });
  await root.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true });
  return {
    root,
    allow: gate.allow,
    session: connection.session,
    onPopup: (listener) => void popups.add(listener),
    async openPage(width, height) {
      const asked = { url: 'about:blank', width, height, newWindow: true };
      const { targetId } = await root.send('Target.createTarget', asked);
      if (!targets.has(targetId)) await new Promise((resolve) => opened.once(targetId, resolve));
      return targets.get(targetId)!;
    },
    async endpoint() {
      while (!existsSync(portFile) || !readFileSync(portFile, 'utf8').includes('\n'))
        await delay(PORT_POLL_MS);
      return `http://127.0.0.1:${readFileSync(portFile, 'utf8').split('\n')[0]}`;
    },
  };
}
