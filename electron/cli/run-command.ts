import type { PushRequest } from '../agent/index.ts';
import { runSession } from './agent-session.ts';
import type { RunCommand } from './command.ts';
import type { ExitCode } from './exit-codes.ts';
import { agentConfig, loadConfig, portsFor, type Host } from './host.ts';
import { reportFailures } from './report-failure.ts';

const NO_PUSH: readonly PushRequest[] = [];

/** Watches and uploads: until it is stopped, or with `--once` until all is settled. */
export async function runCommand(command: RunCommand, host: Host): Promise<ExitCode> {
  const { output, clock } = host;
  const { json } = command;
  if (typeof command.console === 'number')
    output.note('The web console is not part of this version; everything else runs without it.');
  const loaded = await loadConfig(command, host);
  if (!loaded.ok) return reportFailures(loaded.error, { output, clock, json });
  const ports = portsFor(loaded.value, host, command);
  const stop = host.listenForStop();
  try {
    const agent = host.createAgent(agentConfig(loaded.value, command, host), ports);
    const { once: untilIdle } = command;
    return await runSession({ agent, output, clock, stop, json, untilIdle, push: NO_PUSH });
  } finally {
    stop.dispose();
  }
}
