import { spawn } from 'node:child_process';
import { createWriteStream, type WriteStream } from 'node:fs';
import { join } from 'node:path';

/** The paths of one run. */
export interface WorkPlace {
  readonly folder: string;
  readonly watchDir: string;
  readonly dataDir: string;
  readonly configFile: string;
  readonly logDir: string;
  /** The program under test. */
  readonly program: string;
}

export function workPlace(folder: string, program: string): WorkPlace {
  return {
    folder,
    program,
    watchDir: join(folder, 'watch'),
    dataDir: join(folder, 'data'),
    configFile: join(folder, 'config.json'),
    logDir: join(folder, 'logs'),
  };
}

/** How a process ended: on its own with a code, or by a signal. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** The flags that the program is started with, as in its shebang line. */
export const agentFlags = ['--disable-sigusr1', '--use-system-ca', '--max-semi-space-size=2'];

/** One life of the real headless program. */
export interface AgentProcess {
  readonly ended: Promise<ProcessEnd>;
  readonly startedMs: number;
  readonly pid: number;
  /** Whether the text, or one that matches the pattern, has appeared on standard output. */
  said(text: string | RegExp): boolean;
  /** Sends SIGKILL to this child alone; resolves when it is gone. */
  kill(): Promise<ProcessEnd>;
}

/** Starts the program as a user would, as a process that shares nothing with this one. */
export function startAgent(place: WorkPlace, extra: readonly string[] = []): AgentProcess {
  const { program, configFile, dataDir, logDir, folder } = place;
  const args = ['run', ...extra, '--console', 'off', '--config', configFile, '--data-dir', dataDir];
  const child = spawn(process.execPath, [...agentFlags, program, ...args, '--json', '--log-level', 'debug'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // Compiled code is kept between lives, so that their time goes into work and not into loading the program.
    env: { ...process.env, NODE_COMPILE_CACHE: join(folder, 'compiled') },
  });
  const logs = [openLog(logDir, 'stdout.log'), openLog(logDir, 'stderr.log')] as const;
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stdout.pipe(logs[0]);
  child.stderr.pipe(logs[1]);
  // A driver that is stopped kills its agent too.
  const endChild = (): void => void child.kill('SIGKILL');
  process.once('exit', endChild);
  child.once('close', () => process.off('exit', endChild));
  const ended = new Promise<ProcessEnd>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
  return {
    ended,
    startedMs: performance.now(),
    pid: child.pid ?? 0,
    said: (text) => (typeof text === 'string' ? output.includes(text) : text.test(output)),
    async kill() {
      child.kill('SIGKILL');
      return ended;
    },
  };
}

function openLog(folder: string, name: string): WriteStream {
  return createWriteStream(join(folder, name), { flags: 'a' });
}
