import type { PushRequest } from '../agent/index.ts';
import { runSession } from './agent-session.ts';
import type { RunCommand } from './command.ts';
import { openConsole, type StartConsole } from './open-console.ts';
import type { ExitCode } from './exit-codes.ts';
import { agentConfig, loadConfig, portsFor, type Host } from './host.ts';
import { reportFailures } from './report-failure.ts';

const NO_PUSH: readonly PushRequest[] = [];

/** Watches and uploads: until it is stopped, or with `--once` until all is settled. */
export async function runCommand(
  command: RunCommand,
  host: Host,
  { startConsole }: { readonly startConsole: StartConsole },
): Promise<ExitCode> {
  const { output, clock } = host;
  const { json } = command;
  const loaded = await loadConfig(command, host);
  if (!loaded.ok) return reportFailures(loaded.error, { output, clock, json });
  const ports = portsFor(loaded.value, host, command);
  const stop = host.listenForStop();
  try {
    const agent = host.createAgent(agentConfig(loaded.value, command, host), ports);
    const { once: untilIdle, console: wish } = command;
    const beside = hasConsole(command)
      ? () =>
          openConsole(startConsole, agent, host, ports.logger, {
            port: wish === 'off' ? undefined : wish,
            json,
          })
      : undefined;
    return await runSession({
      agent,
      output,
      clock,
      stop,
      json,
      untilIdle,
      push: NO_PUSH,
      ...(beside && { beside }),
    });
  } finally {
    stop.dispose();
  }
}

/** Nobody looks at a run that ends by itself or that is read by a program, unless a port was asked for. */
function hasConsole({ console: wish, once, json }: RunCommand): boolean {
  return typeof wish === 'number' || (wish === undefined && !once && !json);
}
