import { onTestFinished } from 'vitest';
import { connectTeam } from '../../../electron/agent/index.ts';
import type { Prompt } from '../../../electron/cli/deps.ts';
import { runCli } from '../../../electron/cli/run-cli.ts';
import { startSimulator, type SimulatorOptions } from '../../simulator/index.ts';
import { createFakeAgent, createFakeDeps } from '../../unit/cli/fake-deps.ts';

/** The key that the test's host has. */
const API_KEY = 'key-12345678';

export interface RunOptions {
  /** Width of the terminal; omitted for a pipe. */
  readonly columns?: number;
  readonly prompt?: Prompt;
  /** The content of standard input. */
  readonly input?: string;
  /** Settings in addition to the service's address. */
  readonly settings?: object;
}

/** The command line in front of a service of its own. */
export async function openDesk(options: SimulatorOptions = {}) {
  const simulator = await startSimulator({ apiKey: API_KEY, ...options });
  onTestFinished(() => simulator.stop());
  async function run(words: readonly string[], { settings, ...rest }: RunOptions = {}) {
    const all = { baseUrl: simulator.baseUrl, ...settings };
    const { deps, written } = await createFakeDeps(createFakeAgent().agent, all, rest);
    const exit = await runCli(words, { ...deps, connectTeam });
    return { exit, ...written, lines: written.stdout.split('\n').slice(0, -1) };
  }
  return {
    simulator,
    run,
    /** The same for words without spaces. */
    runLine: (line: string, options?: RunOptions) => run(line.split(' '), options),
  };
}
