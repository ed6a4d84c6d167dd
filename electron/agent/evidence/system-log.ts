import { execFile } from 'node:child_process';
import type { SystemLog } from '../ports.ts';
import { windowsProgram } from '../settings/guarded-path.ts';

/** Under this name lines stand in the system's log. */
const TAG = 'vms-export-agent';
/** Longest wait for a program of the system, milliseconds: the unified log takes its time. */
const DEADLINE_MS = 30_000;
/** Newest lines that are read: more than a year of hours. */
const MOST_LINES = 10_000;
const MOST_OUTPUT_BYTES = 32 * 1024 * 1024;

/** Runs a program of the system with these arguments, without a shell; its output, or undefined when it failed. */
export type RunProgram = (program: string, args: readonly string[]) => Promise<string | undefined>;

interface Deps {
  readonly platform: NodeJS.Platform;
  /** Numeric id of the account; undefined on Windows. */
  readonly userId: number | undefined;
  readonly run?: RunProgram;
}

/** The system's own log, written by its own programs. */
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
    // Of this account alone: any other may write under any name
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
