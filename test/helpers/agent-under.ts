import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PART_BYTES, type Bench } from './agent-bench.ts';

const AGENT = fileURLToPath(new URL('agent-on-disk.ts', import.meta.url));

/** Why system calls cannot be made to fail here; undefined when they can. */
export const noStrace = (() => {
  try {
    execFileSync('strace', ['-o', '/dev/null', 'true'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'strace is missing or not permitted';
  }
})();

/** An agent that has not ended after this time, milliseconds, is killed; its output shows how far it got. */
const LONGEST_RUN_MS = 120_000;
/** The same as the bench's, so that one can continue what the other started. */
const partSizes = { upload: { multipartThresholdBytes: PART_BYTES, partSizeBytes: PART_BYTES } };

/** A line of the agent's output. */
export interface Line {
  readonly event: string;
  readonly code?: string;
  readonly message?: string;
  /** Only for the event `loop`: the longest time for which the main thread was blocked. */
  readonly longestMs?: number;
  readonly failure?: { readonly code: string; readonly message: string; readonly advice: string };
}

/** An agent in a process of its own. */
export interface AgentUnder {
  readonly child: ChildProcess;
  /** All its output, once it has ended. */
  readonly ended: Promise<readonly Line[]>;
}

/** Starts an agent under a command that makes something fail; with an empty command, directly. */
export function startUnder(bench: Bench, command: readonly string[], mayBeSilent = false): AgentUnder {
  const { root, dataDir, simulator } = bench;
  const settings = { watch: [{ path: root, settleSeconds: 0.1 }], baseUrl: simulator.baseUrl, ...partSizes };
  const program = [process.execPath, '--no-warnings', AGENT];
  const given = JSON.stringify({ settings, dataDir, apiKey: simulator.apiKey });
  const [file = '', ...args] = [...command, ...program, given];
  const child = spawn(file, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LONGEST_RUN_MS,
    killSignal: 'SIGKILL',
  });
  return { child, ended: linesOf(child, mayBeSilent) };
}

async function linesOf(child: ChildProcess, mayBeSilent: boolean): Promise<readonly Line[]> {
  let text = '';
  let problems = '';
  child.stdout?.on('data', (chunk) => (text += String(chunk)));
  child.stderr?.on('data', (chunk) => (problems += String(chunk)));
  await once(child, 'close');
  // A kill may have cut off the last line
  const whole = text.slice(0, text.lastIndexOf('\n') + 1).split('\n');
  const lines = whole.filter((line) => line.startsWith('{')).map((line): Line => JSON.parse(line));
  if (lines.length === 0 && !mayBeSilent) throw new Error(`The agent said nothing: ${problems}`);
  return lines;
}

/** Runs an agent under a command until it ends; returns its output. */
export function runUnder(
  bench: Bench,
  command: readonly string[],
  mayBeSilent = false,
): Promise<readonly Line[]> {
  return startUnder(bench, command, mayBeSilent).ended;
}

/**
 * A command that makes these system calls fail on the queue's write-ahead log, or on another file of the desk if one is
 * named. `when` counts the calls of each thread separately.
 */
export function strace(bench: Bench, calls: string, what: string, file = 'queue.db-wal'): readonly string[] {
  const path = file === '' ? [] : ['-P', join(bench.dataDir, file)];
  const inject = ['-e', `trace=${calls}`, '-e', `inject=${calls}:${what}`];
  // Quicker, but misses writes
  const quick = calls.includes('write') ? [] : ['--seccomp-bpf'];
  return ['strace', '-f', '-qq', ...quick, '-o', straceFile(bench), ...path, ...inject];
}

const straceFile = ({ dataDir }: Bench): string => `${dataDir}.strace`;

/** The threads of the last run in which a call was made to fail. */
export function failedThreads(bench: Bench): ReadonlySet<string> {
  const lines = readFileSync(straceFile(bench), 'utf8').split('\n');
  return new Set(
    lines.filter((line) => line.includes('INJECTED')).map((line) => line.split(' ', 1)[0] ?? ''),
  );
}
