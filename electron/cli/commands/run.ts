import { isConsoleOn, type Policy } from '../../agent/settings/policy/policy.ts';
import { notSetUp } from '../../agent/core/settings/check-connection.ts';
import type { Agent, Logger } from '../../agent/index.ts';
import { logLevels } from '../../agent/log/create-logger.ts';
import { runSession } from '../agent-session.ts';
import {
  defineCommand,
  parseQueueOptions,
  queueOptions,
  refuseOperands,
  UsageError,
  parseChoice,
} from '../command.ts';
import { agentConfig, loadConfig, NOTHING_WATCHED, portsFor, type Deps } from '../deps.ts';
import { exitCodeFor, exitCodes } from '../exit-codes.ts';
import { jsonText } from '../output.ts';
import { reportFailures, reportProblem } from '../report-failure.ts';

/** Ports below 1024 need privileges that this program should not have. */
const LOWEST_PORT = 1024;
const HIGHEST_PORT = 65_535;
/** Default port of the console; if it is taken, any free one. */
const USUAL_PORT = 47_800;
const ANY_PORT = 0;
/** Wait between attempts to get the policy, milliseconds. */
const POLICY_RETRY_MS = 30_000;

/** Parsed options of `run`. */
export type RunInput = ReturnType<(typeof run)['parse']>;

/** Watches and uploads until it is stopped or, with `--once`, until everything is done. */
export const run = defineCommand({
  name: 'run',
  usage: ['run [--once] [--console PORT|off] [--log-level L]', '    [--json]'],
  purpose: 'Watches the configured folders and uploads what appears in them.',
  options: {
    ...queueOptions,
    once: { help: 'uploads what is there, waits until everything is done, and exits' },
    console: { value: 'PORT|off', help: 'port of the web console, 1024 to 65535, or off' },
    // Marks the service as simulated; only the demo uses it
    demo: {},
    'log-level': { value: 'L', help: 'log level on stderr: debug, info, warn or error (default: warn)' },
    json: { help: 'one JSON object per line on stdout, ending with a summary' },
  },
  parse(line) {
    refuseOperands(line);
    return {
      ...parseQueueOptions(line),
      once: line.has('once'),
      console: parseConsole(line.text('console')),
      isDemo: line.has('demo'),
      logLevel: parseChoice('--log-level', line.text('log-level') ?? 'warn', logLevels),
      json: line.has('json'),
    };
  },
  async run(input, deps) {
    const { output, clock } = deps;
    const { json, isDemo } = input;
    const reporting = { output, clock, json };
    const loaded = await loadWhenReached(input, deps);
    if (!loaded.ok) return reportFailures(loaded.error, reporting);
    const { settings, policy } = loaded.value;
    const isOn = hasConsole(input, policy);
    if (settings.baseUrl === undefined && !isOn) return reportFailures([notSetUp], reporting);
    if (settings.baseUrl === undefined) output.note(NO_CONFIGURATION);
    if (!isOn && typeof input.console === 'number') output.note(CONSOLE_OFF);
    if (!isOn && settings.watch.length === 0) output.note(NOTHING_WATCHED);
    const ports = portsFor(loaded.value, deps, input);
    const config = { ...agentConfig(loaded.value, input, deps), ...(isDemo && { isDemo }) };
    const beside = isOn ? (agent: Agent) => openConsole(agent, ports.logger, input, deps) : undefined;
    return runSession({ config, ports, json, untilIdle: input.once, beside }, deps);
  },
});

/**
 * Loads the configuration. Without a copy of the policy, waits until its address responds: a service manager that
 * restarts the program each time would give up after a few attempts. A signal ends the program here: nothing is open
 * yet.
 */
async function loadWhenReached(input: RunInput, deps: Deps): ReturnType<typeof loadConfig> {
  for (let isNews = true; ; isNews = false) {
    const loaded = await loadConfig(input, deps, isAttended(input) ? 'nothing' : 'service');
    if (loaded.ok || input.once) return loaded;
    if (loaded.error.some(({ code }) => exitCodeFor(code) !== exitCodes.unreachable)) return loaded;
    if (isNews)
      for (const failure of loaded.error)
        reportProblem({ ...failure, advice: POLICY_ADVICE }, { ...deps, json: input.json });
    await deps.clock.sleep(POLICY_RETRY_MS);
  }
}

const POLICY_ADVICE =
  'Check the network and the policy server. The agent starts as soon as it has its policy.';
const NO_CONFIGURATION = 'This desk is not set up yet. Open the console to set it up.';
const CONSOLE_OFF = "The console is off: this PC's policy disables it.";

function parseConsole(text: string | undefined): number | 'off' | undefined {
  if (text === undefined || text === 'off') return text;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port >= LOWEST_PORT && port <= HIGHEST_PORT) return port;
  throw new UsageError(`--console must be a port from ${LOWEST_PORT} to ${HIGHEST_PORT}, or off.`);
}

interface ConsoleInput {
  readonly console: number | 'off' | undefined;
  readonly once: boolean;
  readonly json: boolean;
}

/** Nobody watches a run that exits automatically or that a program reads: it must work as configured or fail. */
const isAttended = ({ console: choice, once, json }: ConsoleInput): boolean =>
  choice !== 'off' && !once && !json;

/** A given port opens a console for any run. The policy has the final say. */
function hasConsole(input: ConsoleInput, policy: Policy): boolean {
  const choice = input.console === undefined ? undefined : input.console !== 'off';
  return (choice ?? isAttended(input)) && isConsoleOn(policy, choice);
}

/**
 * Opens the console beside a running agent and prints its address; at a terminal, Enter prints a new one. The agent
 * also works without a console, so a problem is reported and does not stop the run. Returns the function that stops the
 * console.
 */
async function openConsole(
  agent: Agent,
  logger: Logger,
  { console: port, json }: ConsoleInput,
  { output, clock, prompt, onInputLine, startConsole }: Deps,
): Promise<() => Promise<void>> {
  const start = (on: number) => startConsole({ port: on, agent, clock, logger });
  let opened = await start(typeof port === 'number' ? port : USUAL_PORT);
  if (!opened.ok && opened.error.code === 'PORT_IN_USE' && typeof port !== 'number')
    opened = await start(ANY_PORT);
  if (!opened.ok) {
    reportProblem(opened.error, { output, clock, json });
    return async () => undefined;
  }
  const console = opened.value;
  const writeAddress = (): void => {
    const url = console.createLaunchUrl();
    const at = new Date(clock.now()).toISOString();
    output.line(json ? jsonText({ event: 'console', at, url }) : `Console: ${url}`);
  };
  const isRead = json || prompt !== undefined;
  if (isRead) writeAddress();
  // The address must not end up in a journal
  else output.line(`Console: ${console.origin}. The address that opens it is shown only in a terminal.`);
  const ended = new AbortController();
  if (prompt !== undefined && !json)
    output.note('This address works once, for one minute. Press Enter for a new one.');
  // A program requests an address with a word; a person only presses Enter
  onInputLine((line) => {
    if (!json || line.trim() === 'console') writeAddress();
  }, ended.signal);
  return async () => {
    ended.abort();
    await console.stop();
  };
}
