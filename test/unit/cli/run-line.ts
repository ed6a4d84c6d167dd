import { expect } from 'vitest';
import type { Prompt } from '../../../electron/cli/deps.ts';
import { runCli } from '../../../electron/cli/run-cli.ts';
import { createFakeAgent, createFakeDeps } from './fake-deps.ts';
import { createFakeTeam, type TeamScript } from './fake-team.ts';

export interface LineOptions extends TeamScript {
  /** Width of the terminal; omitted for a pipe. */
  readonly columns?: number;
  /** The content of stdin. */
  readonly input?: string;
  readonly prompt?: Prompt;
  readonly settings?: unknown;
}

/** Runs a command line against the test's team; a connected team must always be released. */
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

/** The same for a line whose words contain no spaces, run to its end. */
export async function runLine(line: string, options: LineOptions = {}) {
  const { ended } = await runWords(line.split(' '), options);
  return ended;
}
