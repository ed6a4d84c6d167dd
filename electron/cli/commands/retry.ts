import type { RetryCommand } from '../command.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { dataDirOf, type Host } from '../deps.ts';
import type { RetryClips } from '../needs.ts';
import { reportFailures } from '../report-failure.ts';

/** Puts failed clips back into the queue; an agent that runs takes them from there, else the next one does. */
export async function retryCommand(
  command: RetryCommand,
  host: Host,
  { retryClips }: { readonly retryClips: RetryClips },
): Promise<ExitCode> {
  const { output, clock } = host;
  const outcome = await retryClips(dataDirOf(command, host), command.target, clock);
  if (!outcome.ok) {
    const exit = reportFailures([outcome.error], { output, clock, json: false });
    // Nothing has this id: a slip on the command line, not a service that cannot be found
    return outcome.error.code === 'NOT_FOUND' ? exitCodes.usage : exit;
  }
  const { retried, skipped } = outcome.value;
  output.line(retried === 1 ? '1 clip is in the queue again.' : `${retried} clips are in the queue again.`);
  if (skipped > 0) output.line(`${skipped} left out: trying again cannot help them. See: status.`);
  return exitCodes.ok;
}
