import type { Failure } from '../../shared/domain/failure.ts';
import { visibleName } from '../../shared/lib/visible-name.ts';
import type { Clock, TeamConnection } from '../agent/index.ts';
import type { UsageError } from './command.ts';
import { exitCodeFor, exitCodes, type ExitCode } from './exit-codes.ts';
import { jsonText, type Output } from './output.ts';
import type { Result } from '../../shared/lib/result.ts';
import { agentConfig, loadConfig, portsFor, type Deps } from './deps.ts';

/** Where and how a failure is reported. */
interface Reporting {
  readonly output: Output;
  readonly clock: Clock;
  readonly json: boolean;
}

/**
 * Reports why a command ends, on stderr and, with `--json`, also on stdout; returns the exit code of the first failure.
 */
export function reportFailures(failures: readonly Failure[], reporting: Reporting): ExitCode {
  for (const failure of failures) {
    reporting.output.note(failureText(failure));
    const { code, message, advice } = failure;
    writeJson({ code, message, advice }, reporting);
  }
  const [first] = failures;
  return first === undefined ? exitCodes.fault : exitCodeFor(first.code);
}

/** Says what went wrong while the command goes on, on stderr and, with `--json`, on stdout too. */
export function reportProblem(failure: Failure, { output, clock, json }: Reporting): void {
  output.note(failureText(failure));
  const { code, message, advice } = failure;
  const at = new Date(clock.now()).toISOString();
  if (json) output.line(jsonText({ event: 'warning', at, code, message, advice }));
}

/**
 * Reports why a call of the service failed, with its fields and, with `--json`, all details. `interrupted` is the exit
 * code of a signal that arrived.
 */
export function reportCallFailure(
  failure: Failure,
  reporting: Reporting,
  interrupted: ExitCode | undefined,
): ExitCode {
  const { output } = reporting;
  output.note(interrupted === undefined ? visibleName(failureText(failure)) : 'Interrupted.');
  if (interrupted === undefined) for (const line of fieldLines(failure)) output.note(line);
  if (failure.mayHaveHappened === true) output.note(MAY_HAVE_HAPPENED);
  writeJson(failure, reporting);
  return interrupted ?? exitCodeFor(failure.code, exitCodes.fault);
}

/** Reports a problem with the command line; with `--json`, also on stdout. */
export function reportUsage({ message, advice }: UsageError, reporting: Reporting): void {
  reporting.output.note(advice === undefined ? message : `${message} ${advice}`);
  writeJson({ code: 'CALL_INPUT', message, advice: advice ?? '' }, reporting);
}

/** A failure in one line: code, what happened, what to do. */
function failureText({ code, message, advice }: Failure): string {
  return `${code}: ${message} ${advice}`.trimEnd();
}

/** Leaves out texts that the message already contains, as it mostly does for a single field. */
const fieldLines = ({ fields, message }: Failure): readonly string[] =>
  (fields ?? [])
    .filter(({ text }) => !message.includes(text))
    .map(({ name, text }) => visibleName(`  ${name}: ${text}`));

function writeJson(failure: object, { output, clock, json }: Reporting): void {
  if (json) output.line(jsonText({ event: 'error', at: new Date(clock.now()).toISOString(), ...failure }));
}

const MAY_HAVE_HAPPENED = `
ATTENTION: the request was sent, but it is not known whether it was carried out.`;

/**
 * The work of one command with the service; a signal cancels the running call. `isListed`: everything that could be
 * read is already listed on stdout, so the failure goes only to stderr.
 */
type TeamWork = (
  team: TeamConnection,
  signal: AbortSignal,
) => Promise<Result<unknown, Failure> & { readonly isListed?: boolean }>;

/** Connects according to the configuration, does the work, and reports failures; returns the exit code. */
export async function runTeamWork(
  options: { readonly config?: string | undefined; readonly json: boolean },
  deps: Deps,
  work: TeamWork,
): Promise<ExitCode> {
  const { output, clock } = deps;
  const { json } = options;
  const reporting = { output, clock, json };
  const loaded = await loadConfig(options, deps);
  if (!loaded.ok) return reportFailures(loaded.error, reporting);
  const ports = portsFor(loaded.value, deps, { logLevel: 'error', json });
  const stop = deps.listenForStop();
  const team = await deps.connectTeam(agentConfig(loaded.value, options, deps), ports);
  try {
    const outcome = await work(team, stop.signal);
    if (outcome.ok) return exitCodes.ok;
    const isToldInJson = json && outcome.isListed !== true;
    return reportCallFailure(outcome.error, { ...reporting, json: isToldInJson }, stop.exitCode());
  } finally {
    team.stop();
    stop.dispose();
  }
}
