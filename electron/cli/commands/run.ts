import type { PushRequest } from '../../agent/index.ts';
import { runSession } from '../agent-session.ts';
import type { RunCommand } from '../command.ts';
import { isConsoleOn, type Policy } from '../../agent/config/policy/policy.ts';
import { notSetUp } from '../../agent/core/missing-setup.ts';
import { openConsole, type StartConsole } from '../open-console.ts';
import type { ExitCode } from '../exit-codes.ts';
import { agentConfig, loadConfig, portsFor, type Host } from '../deps.ts';
import { reportFailures } from '../report-failure.ts';

const NO_PUSH: readonly PushRequest[] = [];

/** Watches and uploads: until it is stopped, or with `--once` until all is settled. */
export async function runCommand(
  command: RunCommand,
  host: Host,
  { startConsole }: { readonly startConsole: StartConsole },
): Promise<ExitCode> {
  const { output, clock } = host;
  const { json, once: untilIdle } = command;
  const loaded = await loadConfig(command, host, isAttended(command) ? 'nothing' : 'service');
  if (!loaded.ok) return reportFailures(loaded.error, { output, clock, json });
  const { settings, policy } = loaded.value;
  const isOn = hasConsole(command, policy);
  if (settings.baseUrl === undefined && !isOn) return reportFailures([notSetUp], { output, clock, json });
  if (settings.baseUrl === undefined) output.note(NO_CONFIGURATION);
  if (!isOn && typeof command.console === 'number') output.note(CONSOLE_OFF);
  const ports = portsFor(loaded.value, host, command);
  const stop = host.listenForStop();
  try {
    const config = { ...agentConfig(loaded.value, command, host), ...(command.demo && { isDemo: true }) };
    const agent = host.createAgent(config, ports);
    const port = typeof command.console === 'number' ? command.console : undefined;
    const beside = isOn
      ? () => openConsole(startConsole, agent, host, ports.logger, { port, json })
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

const NO_CONFIGURATION = 'No service is configured yet: open the console to set this desk up.';
const CONSOLE_OFF = 'The console stays closed: the policy of this PC switches it off.';

/** Nobody looks at a run that ends by itself or that is read by a program: it works as it is configured or not at all. */
const isAttended = ({ console: wish, once, json }: RunCommand): boolean => wish !== 'off' && !once && !json;

/** A port that was asked for opens a console for any run. The policy has the last word. */
function hasConsole(command: RunCommand, policy: Policy): boolean {
  const { console: wish } = command;
  const said = wish === undefined ? undefined : wish !== 'off';
  return (said ?? isAttended(command)) && isConsoleOn(policy, said);
}
