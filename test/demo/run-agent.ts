import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createInterface } from 'node:readline';
import type { AgentEvent } from '../../electron/agent/events.ts';

const headless = fileURLToPath(new URL('../../electron/headless.ts', import.meta.url));
/** The agent stops in order within 10 s; a little later it is killed, milliseconds. */
const KILL_AFTER_MS = 12_000;

/** The last line of the agent's `--json` output. */
export interface SummaryEvent {
  readonly event: 'summary';
  readonly incidents: number;
  readonly uploaded: number;
  readonly failed: number;
  readonly bytes: number;
  readonly seconds: number;
}

/** One line of the agent's `--json` output. */
export type ToldEvent = AgentEvent | SummaryEvent | ConsoleEvent;

/** A new address of the web console; it works once, within a minute. */
export interface ConsoleEvent {
  readonly event: 'console';
  readonly url: string;
}

export interface AgentOptions {
  readonly configFile: string;
  readonly dataDir: string;
  /** Ends when everything is settled. */
  readonly once: boolean;
  /** Port of the web console; without it there is none. */
  readonly consolePort?: number | undefined;
  onEvent(event: ToldEvent): void;
  /** Called with an output line that is not an event: a problem, advice, log. */
  onNote(text: string): void;
}

/** A running agent. */
export interface AgentRun {
  /** Its exit code, or the name of the signal that ended it. */
  readonly ended: Promise<number | string>;
  /** Asks it to stop and waits for its end. */
  stop(): Promise<void>;
  /** Makes it print a new address of its console. */
  askAddress(): void;
  kill(): void;
}

/**
 * Starts the real program with its real command line. It has a process group of its own, so that Ctrl+C reaches it only
 * through `stop`.
 */
export function startAgent(options: AgentOptions): AgentRun {
  const { configFile, dataDir, once, consolePort } = options;
  const port = consolePort === undefined ? 'off' : String(consolePort);
  // An option, not a variable: a variable that a shell passes on by accident would turn a real desk into a demo
  const args = ['run', '--demo', '--config', configFile, '--data-dir', dataDir, '--console', port, '--json'];
  const child = spawn(process.execPath, [headless, ...args, ...(once ? ['--once'] : [])], {
    detached: process.platform !== 'win32',
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  createInterface({ input: child.stdout }).on('line', (line) => tell(line, options));
  createInterface({ input: child.stderr }).on('line', (line) => options.onNote(messageOf(line)));
  const { promise: ended, resolve, reject } = Promise.withResolvers<number | string>();
  child.on('error', reject);
  child.on('close', (code, signal) => resolve(code ?? signal ?? 'nothing'));
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  ended.finally(() => process.off('exit', kill)).catch(() => undefined);
  return {
    ended,
    kill,
    askAddress: () => void child.stdin.write('console\n'),
    async stop() {
      child.kill('SIGTERM');
      const late = setTimeout(kill, KILL_AFTER_MS);
      await ended.finally(() => clearTimeout(late));
    },
  };
}

/** The message of a log line; any other line unchanged. */
function messageOf(line: string): string {
  try {
    const { message } = JSON.parse(line) as { readonly message?: unknown };
    return typeof message === 'string' ? message : line;
  } catch {
    return line;
  }
}

function tell(line: string, { onEvent, onNote }: AgentOptions): void {
  let told: ToldEvent;
  try {
    told = JSON.parse(line) as ToldEvent;
  } catch {
    return onNote(line);
  }
  onEvent(told);
}
