import type { Failure } from '../../shared/domain/failure.ts';
import type { Result } from '../../shared/lib/result.ts';
import type { TeamConnection } from '../agent/index.ts';
import { agentConfig, loadConfig, portsFor, type Deps } from './deps.ts';
import { exitCodes, type ExitCode } from './exit-codes.ts';
import { reportCallFailure, reportFailures } from './report-failure.ts';

/** What one command does with the service; a signal ends the call under way. */
export type TeamWork = (team: TeamConnection, signal: AbortSignal) => Promise<Result<unknown, Failure>>;

/** Connects as the configuration says, does the work, and says what went wrong; answers the exit code. */
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
    return outcome.ok ? exitCodes.ok : reportCallFailure(outcome.error, reporting, stop.exitCode());
  } finally {
    team.stop();
    stop.dispose();
  }
}
