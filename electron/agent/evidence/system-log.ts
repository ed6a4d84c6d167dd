import { execFile } from 'node:child_process';
import type { SystemLog } from '../ports.ts';
import { windowsProgram } from '../settings/guarded-path.ts';

/** Tag of the agent's lines in the system log. */
const TAG = 'vms-export-agent';
/** Longest wait for a system program, milliseconds: the unified log is slow. */
const DEADLINE_MS = 30_000;
/** How many of the newest lines are read: more than a year at one per hour. */
const MOST_LINES = 10_000;
const MOST_OUTPUT_BYTES = 32 * 1024 * 1024;

/** Runs a system program with these arguments, without a shell. Resolves with its output, or undefined if it failed. */
export type RunProgram = (program: string, args: readonly string[]) => Promise<string | undefined>;

interface Deps {
  readonly platform: NodeJS.Platform;
  /** Numeric id of the account; undefined on Windows. */
  readonly userId: number | undefined;
  readonly run?: RunProgram;
}

/** Creates the operating system's log, written and read with the system's own programs. */
export function createSystemLog({ platform, userId, run = runProgram }: Deps): SystemLog {
  const last = String(MOST_LINES);
  if (platform === 'win32') {
    const event = ['/L', 'APPLICATION', '/T', 'INFORMATION', '/SO', TAG, '/ID', '1', '/D'];
    const query = `*[System[Provider[@Name='${TAG}']]]`;
    return {
      name: 'the Event Log',
      write: async (line) => (await run(windowsProgram('eventcreate.exe'), [...event, line])) !== undefined,
      read: () =>
        run(windowsProgram('wevtutil.exe'), [
          'qe',
          'Application',
          `/q:${query}`,
          '/f:text',
          `/c:${last}`,
          '/rd:true',
        ]),
    };
  }
  if (platform === 'darwin') {
    const predicate = `process == "logger" AND eventMessage CONTAINS "${TAG} chain"`;
    return {
      name: 'the unified log',
      write: async (line) =>
        (await run('/usr/bin/logger', ['-t', TAG, '-p', 'user.notice', '--', line])) !== undefined,
      read: () =>
        run('/usr/bin/log', ['show', '--style', 'compact', '--last', '30d', '--predicate', predicate]),
    };
  }
  const own = userId === undefined ? [] : [`_UID=${userId}`];
  return {
    name: 'the system log',
    write: async (line) =>
      (await run('logger', ['--socket-errors=on', '-t', TAG, '-p', 'user.notice', '--', line])) !== undefined,
    // Only this account's lines: any account may write under any tag
    read: () => run('journalctl', ['--quiet', '--no-pager', '-o', 'cat', '-n', last, '-t', TAG, ...own]),
  };
}

const runProgram: RunProgram = (program, args) =>
  new Promise((resolve) => {
    const options = { timeout: DEADLINE_MS, maxBuffer: MOST_OUTPUT_BYTES, windowsHide: true };
    execFile(program, [...args], options, (error, printed) => {
      resolve(error === null ? printed : undefined);
    });
  });
