import type { Failure } from '../../shared/domain/failure.ts';
import type { Result } from '../../shared/lib/result.ts';
import type { TeamConnection } from '../agent/index.ts';
import { exitCodes, type ExitCode } from './exit-codes.ts';
import { agentConfig, loadConfig, portsFor, type Host } from './deps.ts';
import type { AgentNeeds } from './needs.ts';
import { reportFailures } from './report-failure.ts';
import { reportTeamFailure } from './team/report-team-failure.ts';
import type { TeamCommand } from './team/team-command.ts';

/** What the commands of the team need from the agent. */
export type TeamNeeds = Pick<AgentNeeds, 'connectTeam'>;

/** What one command does with the service; answers the exit code, or the failure that ended it. */
export type TeamWork = (team: TeamConnection, signal: AbortSignal) => Promise<Result<ExitCode, Failure>>;

/** Connects as the configuration says, does the work, and says what went wrong. A signal ends the call under way. */
export async function runTeamWork(
  command: TeamCommand,
  host: Host,
  { connectTeam }: TeamNeeds,
  work: TeamWork,
): Promise<ExitCode> {
  const { output, clock } = host;
  const json = 'json' in command ? command.json : command.format === 'json';
  const loaded = await loadConfig(command, host);
  if (!loaded.ok) return reportFailures(loaded.error, { output, clock, json });
  const ports = portsFor(loaded.value, host, { logLevel: 'error', json });
  const stop = host.listenForStop();
  const team = connectTeam(agentConfig(loaded.value, command, host), ports);
  try {
    const outcome = await work(team, stop.signal);
    if (outcome.ok) return outcome.value;
    return reportTeamFailure(outcome.error, { output, clock, json, interrupted: stop.exitCode() });
  } finally {
    team.stop();
    stop.dispose();
  }
}

/** The end of a command that did what it was to do. */
export const done = { ok: true, value: exitCodes.ok } as const;
