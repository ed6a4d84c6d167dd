import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { peakMib } from './process-facts.ts';

/** A program with its arguments. */
export type CommandLine = readonly [program: string, ...args: string[]];

/** The cost of a program from start to end. */
export interface CommandCost {
  readonly seconds: number;
  /** User and system, with children. */
  readonly cpuSeconds: number;
  readonly peakMib: number;
}

/** Peaks only grow, so it is enough that the last reading comes shortly before the end. */
const LOOK_MS = 40;
/** No measured command takes this long, milliseconds; one that hangs is killed. */
const COMMAND_LIMIT_MS = 600_000;
const SHOWN_CHARACTERS = 2000;

/** Runs a program under bash's `time`. Rejects when it fails, with the end of its output. */
export async function timeCommand(
  [program, ...args]: CommandLine,
  environment: Readonly<Record<string, string>>,
): Promise<CommandCost> {
  const script = 'TIMEFORMAT=\'%3R %3U %3S\'; time "$@"';
  const child = spawn('bash', ['-c', script, 'bash', program, ...args], {
    env: { ...environment, LC_ALL: 'C' },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  const { pid } = child;
  if (pid === undefined) throw new Error('bash cannot be started');
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-SHOWN_CHARACTERS);
  });
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
  const kill = (): void => void process.kill(-pid, 'SIGKILL');
  const limit = setTimeout(kill, COMMAND_LIMIT_MS);
  process.once('exit', kill);
  const ended = new AbortController();
  const peak = watchPeak(pid, ended.signal);
  const code = await closed;
  clearTimeout(limit);
  process.off('exit', kill);
  ended.abort();
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}: ${said}`);
  const [seconds = 0, user = 0, system = 0] = (said.trim().split('\n').at(-1) ?? '').split(' ').map(Number);
  return { seconds, cpuSeconds: user + system, peakMib: await peak };
}

async function watchPeak(pid: number, ended: AbortSignal): Promise<number> {
  let highest = 0;
  while (!ended.aborted) {
    highest = Math.max(highest, peakMib(pid));
    await sleep(LOOK_MS, undefined, { signal: ended }).catch(() => undefined);
  }
  return highest;
}
