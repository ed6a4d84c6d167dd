import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { agentFlags } from '../torture/agent-process.ts';
import { LOOP_FILE_VARIABLE } from './loop-probe.ts';

/** A line of `--json` output. */
export interface AgentLine {
  readonly event: string;
  readonly at: string;
  readonly bytes?: number;
  readonly clips?: number;
  readonly uploaded?: number;
  readonly pending?: number;
  readonly incidentId?: string;
  readonly clipId?: string;
  readonly file?: string;
  readonly storageKey?: string;
  readonly message?: string;
}

/** The real program in a process of its own. */
export interface BenchAgent {
  readonly pid: number;
  /** Wall-clock time of its start. */
  readonly startedAtMs: number;
  /** The lines so far. */
  lines(): readonly AgentLine[];
  /** Waits until the lines satisfy `fact`; rejects when the agent ends, fails a clip, or takes too long. */
  until(fact: (lines: readonly AgentLine[]) => boolean, what: string, limitMs: number): Promise<void>;
  stop(): Promise<void>;
}

/** Settings that differ from the defaults. */
export interface AgentSettings {
  readonly home: string;
  readonly root: string;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly upload?: Readonly<Record<string, unknown>>;
  /** Default: as short as possible, because it is the same for all sides and measures nothing. */
  readonly settleSeconds?: number;
  /** Folder for CPU profiles of all its threads. */
  readonly profileFolder?: string | undefined;
  /** The file to which the probe of its event loop (loop-probe.ts) writes its figures. */
  readonly loopFile?: string;
  /** Default: the program's own. */
  readonly hashing?: 'auto' | 'always' | 'never' | undefined;
}

const loopProbe = new URL('loop-probe.ts', import.meta.url).href;
/** The bundle, as it is installed: otherwise type stripping at each start would be measured too. */
const program = fileURLToPath(new URL('../../dist/main/headless.js', import.meta.url));
export const SETTLE_SECONDS = 0.5;
/** An orderly stop takes well under a second; writing a profile takes a little more. */
const STOP_LIMIT_MS = 20_000;
const ORDERLY_CODES = new Set([0, null]);

/** Starts the agent on a data directory inside `home`; the next start there continues with it. */
export function startAgent(settings: AgentSettings): BenchAgent {
  const { home, root, baseUrl, apiKey, upload, profileFolder, loopFile, hashing } = settings;
  const { settleSeconds = SETTLE_SECONDS } = settings;
  const config = join(home, 'agent.json');
  writeFileSync(join(home, 'key.txt'), apiKey, { mode: 0o600 });
  const watch = [{ path: root, settleSeconds }];
  writeFileSync(
    config,
    JSON.stringify({
      baseUrl,
      apiKeyFile: 'key.txt',
      watch,
      upload: upload ?? {},
      evidence: { hashAtIntake: hashing },
    }),
  );
  const profile = profileFolder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`];
  const probe = loopFile === undefined ? [] : ['--import', loopProbe];
  const run = ['run', '--config', config, '--data-dir', join(home, 'data'), '--json', '--console', 'off'];
  const startedAtMs = Date.now();
  const child = spawn(process.execPath, [...agentFlags, ...profile, ...probe, program, ...run], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...(loopFile !== undefined && { [LOOP_FILE_VARIABLE]: loopFile }) },
  });
  const { pid } = child;
  if (pid === undefined) throw new Error('The agent cannot be started');
  const lines: AgentLine[] = [];
  const waiting = new Set<() => void>();
  let said = '';
  let endedWith: string | undefined;
  let isLookDue = false;
  /** Runs once for all lines that arrived together: facts look at every line so far. */
  const lookSoon = (): void => {
    if (isLookDue) return;
    isLookDue = true;
    setImmediate(() => {
      isLookDue = false;
      for (const one of waiting) one();
    });
  };
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-4000);
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(JSON.parse(line) as AgentLine);
    lookSoon();
  });
  // An interrupted bench leaves no process running
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  const exited = new Promise<void>((resolve) =>
    child.once('exit', (code, signal) => {
      process.off('exit', kill);
      endedWith = `code ${code ?? signal}`;
      if (!ORDERLY_CODES.has(code)) console.error(`The agent ended with ${endedWith}: ${said}`);
      lookSoon();
      resolve();
    }),
  );

  return {
    pid,
    startedAtMs,
    lines: () => lines,
    until: (fact, what, limitMs) =>
      new Promise((resolve, reject) => {
        const end = (error?: Error): void => {
          clearTimeout(limit);
          waiting.delete(check);
          if (error === undefined) resolve();
          else reject(error);
        };
        const check = (): void => {
          const failed = lines.find(({ event }) => event === 'clip.failed');
          if (failed !== undefined) end(new Error(`Waiting for ${what}: ${failed.message}`));
          else if (fact(lines)) end();
          else if (endedWith !== undefined) end(new Error(`The agent ended before ${what}: ${said}`));
        };
        const limit = setTimeout(
          () =>
            end(new Error(`${what} did not come within ${limitMs} ms; last lines: ${tail(lines)} ${said}`)),
          limitMs,
        );
        waiting.add(check);
        check();
      }),
    async stop() {
      if (endedWith !== undefined) return;
      child.kill('SIGTERM');
      const killer = setTimeout(kill, STOP_LIMIT_MS);
      await exited;
      clearTimeout(killer);
    },
  };
}

const tail = (lines: readonly AgentLine[]): string => JSON.stringify(lines.slice(-5));
