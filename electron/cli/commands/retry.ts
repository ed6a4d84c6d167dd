import { defineCommand, parseQueueOptions, queueOptions, UsageError } from '../command.ts';
import { dataDirOf, type ConfigOptions } from '../deps.ts';
import { exitCodeFor, exitCodes } from '../exit-codes.ts';
import { reportFailures } from '../report-failure.ts';

type RetryInput = ConfigOptions & {
  readonly target: { readonly kind: 'all' } | { readonly kind: 'id'; readonly id: string };
};

/** Puts failed clips back into the queue; an agent that runs takes them from there, else the next one does. */
export const retry = defineCommand({
  name: 'retry',
  usage: ['retry (ID | --all)'],
  purpose: 'Puts failed clips back into the queue.',
  operands: { ID: 'id of an incident or of a clip, as status shows it' },
  options: { ...queueOptions, all: { help: 'all that failed and can succeed' } },
  parse(line): RetryInput {
    const [id, ...more] = line.operands;
    if (line.has('all') === (id !== undefined) || more.length > 0)
      throw new UsageError('retry needs either one id or --all.', 'status shows the ids.');
    return { ...parseQueueOptions(line), target: id === undefined ? { kind: 'all' } : { kind: 'id', id } };
  },
  async run(input, deps) {
    const { output, clock, retryClips } = deps;
    const outcome = await retryClips(dataDirOf(input, deps), input.target, clock);
    if (!outcome.ok) {
      reportFailures([outcome.error], { output, clock, json: false });
      return exitCodeFor(outcome.error.code, exitCodes.usage);
    }
    const { retried, skipped } = outcome.value;
    output.line(retried === 1 ? '1 clip is in the queue again.' : `${retried} clips are in the queue again.`);
    if (skipped > 0) output.line(`${skipped} left out: trying again cannot help them. See: status.`);
    return exitCodes.ok;
  },
});
