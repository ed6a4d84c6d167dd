import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Agent, Clock } from '../../../electron/agent/index.ts';
import { createSystemClock } from '../../../electron/agent/system-clock.ts';
import type { SignalSource } from '../../../electron/console/event-streams.ts';
import { usualLimits, type ServerLimits } from '../../../electron/console/exchange.ts';
import { startConsole } from '../../../electron/console/start-console.ts';
import type { CallReply } from '../../../shared/ipc/envelope.ts';
import type { AgentSignal } from '../../../shared/ipc/events.ts';
import { ask, type Answer, type Question } from './ask.ts';

export const INDEX = '<!doctype html><title>The pages</title>';
export const SCRIPT = 'export const page = 1;';

export interface BenchOptions {
  readonly clock?: Clock;
  readonly limits?: Partial<ServerLimits>;
  /** How to subscribe to the agent's signals. */
  readonly on?: SignalSource['on'];
  /** The agent's answer to a player; by default it has no clip. */
  readonly playClip?: Agent['playClip'];
  /** The agent's answer to a call; by default it returns the request. */
  readonly call?: (request: unknown, signal: AbortSignal) => Promise<CallReply>;
}

/** What the bench ends with: a test, or a file of tests. */
export interface Ending {
  onTestFinished(end: () => Promise<void>): void;
}

/** A console with pages and an agent of the test; ends with the test. */
export async function startBench(
  context: Ending,
  {
    clock = createSystemClock(),
    limits,
    call = async (request) => ({ ok: true, value: request }),
    on,
    playClip = async () => ({ status: 404, headers: {} }),
  }: BenchOptions = {},
) {
  const assetsDir = await makePages();
  const listeners = new Set<(signal: AgentSignal) => void>();
  const subscribe: SignalSource['on'] = (listener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  let signIns = 0;
  const lines: string[] = [];
  const write =
    (level: string) =>
    (message: string, fields?: unknown): void =>
      void lines.push(`${level} ${message} ${JSON.stringify(fields)}`);
  const started = await startConsole({
    port: 0,
    assetsDir,
    agent: {
      call,
      signals: { on: on ?? subscribe },
      playClip,
      noteSignIn: () => void (signIns += 1),
    },
    clock,
    logger: { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') },
    limits: { ...usualLimits, ...limits },
  });
  if (!started.ok) throw new Error(started.error.message);
  const console = started.value;
  context.onTestFinished(async () => {
    await console.stop();
    await rm(assetsDir, { recursive: true });
  });

  /** Asks as a browser does that has the page open. */
  const askHere = (question: Question): Promise<Answer> => ask(console.port, question);

  return {
    console,
    assetsDir,
    lines,
    ask: askHere,
    /** The number of logins. */
    signIns: () => signIns,
    /** The number of streams that listen to the agent. */
    listeners: () => listeners.size,
    emit(signal: AgentSignal): void {
      for (const listener of listeners) listener(signal);
    },
    /** Opens a launch address as a browser does, and fetches the token. */
    async login(): Promise<Page> {
      const { pathname } = new URL(console.createLaunchUrl());
      const entered = await askHere({ path: pathname, headers: { 'sec-fetch-site': 'none' } });
      expect(entered.status).toBe(303);
      const cookie = String(entered.headers['set-cookie']).split(';')[0] ?? '';
      const answer = await askHere({ method: 'POST', path: '/session', headers: { cookie }, body: '{}' });
      const { token } = answer.json() as { token: string };
      return { cookie, token, headers: { cookie, 'x-console-token': token } };
    },
  };
}

export type Bench = Awaited<ReturnType<typeof startBench>>;

/** Credentials of a logged-in page, and the headers that it sends. */
export interface Page {
  readonly cookie: string;
  readonly token: string;
  readonly headers: Readonly<Record<string, string>>;
}

async function makePages(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'console-pages-'));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), INDEX);
  await writeFile(join(folder, 'assets', 'index-Bx_9-aZ1.js'), SCRIPT);
  await writeFile(join(folder, 'assets', 'empty.css'), '');
  return folder;
}
