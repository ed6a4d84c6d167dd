import { expect } from 'vitest';
import type { AskPerson } from '../../../electron/cli/deps.ts';
import { runCli } from '../../../electron/cli/run-cli.ts';
import { createFakeAgent, createFakeDeps } from './fake-deps.ts';
import { createFakeTeam, type TeamScript } from './fake-team.ts';

export interface LineOptions extends TeamScript {
  /** Width of the terminal; left out: a pipe. */
  readonly columns?: number;
  /** What is on stdin. */
  readonly input?: string;
  readonly askPerson?: AskPerson;
  readonly settings?: unknown;
}

/** Runs a command line against a team of the test; a team that was connected is always let go. */
export async function runWords(words: readonly string[], options: LineOptions = {}) {
  const { team, calls, isStopped } = createFakeTeam(options);
  const { deps, written, signals, exits } = await createFakeDeps(
    createFakeAgent().agent,
    options.settings ?? { baseUrl: 'https://api.example.com' },
    options,
  );
  let connections = 0;
  const connectTeam = () => {
    connections += 1;
    return team;
  };
  const running = runCli(words, { ...deps, connectTeam });
  const ended = running.then((exit) => {
    expect(isStopped()).toBe(connections === 1);
    expect(signals.listenerCount('SIGINT')).toBe(0);
    return { exit, calls, ...written, lines: written.stdout.split('\n').slice(0, -1) };
  });
  return { ended, signals, exits, written, calls };
}

/** The same for a line whose words have no spaces, run to its end. */
export async function runLine(line: string, options: LineOptions = {}) {
  const { ended } = await runWords(line.split(' '), options);
  return ended;
}
