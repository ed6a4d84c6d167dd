import { defineCommand, parseQueueOptions, queueOptions, UsageError } from '../command.ts';
import { dataDirOf, type ConfigOptions } from '../deps.ts';
import { exitCodeFor, exitCodes } from '../exit-codes.ts';
import { counted } from '../output.ts';
import { reportFailures } from '../report-failure.ts';

type RetryInput = ConfigOptions & {
  readonly target: { readonly kind: 'all' } | { readonly kind: 'id'; readonly id: string };
};

/** Puts failed clips back in the queue, for the running agent or the next one. */
export const retry = defineCommand({
  name: 'retry',
  usage: ['retry (ID | --all)'],
  purpose: 'Puts failed clips and incidents back in the queue.',
  operands: { ID: 'ID of an incident or a clip, as shown by status' },
  options: {
    ...queueOptions,
    all: {
      help: 'everything that failed, except clips that were left out or cancelled, are too large or are missing',
    },
  },
  parse(line): RetryInput {
    const [id, ...more] = line.operands;
    if (line.has('all') === (id !== undefined) || more.length > 0)
      throw new UsageError('retry needs either one ID or --all.', 'Run "status" to see the IDs.');
    return { ...parseQueueOptions(line), target: id === undefined ? { kind: 'all' } : { kind: 'id', id } };
  },
  async run(input, deps) {
    const { output, clock, retryClips } = deps;
    const outcome = await retryClips(dataDirOf(input, deps), input.target, clock);
    if (!outcome.ok) {
      reportFailures([outcome.error], { output, clock, json: false });
      return exitCodeFor(outcome.error.code, exitCodes.usage);
    }
    const { retried, skipped, incidents } = outcome.value;
    output.line(resumedText(retried, incidents));
    if (skipped > 0) output.line(whatIsSkipped(skipped));
    return exitCodes.ok;
  },
});

const whatIsSkipped = (clips: number): string =>
  clips === 1
    ? '1 clip was skipped: it was cancelled, it is too large, or its file is missing. To retry it, use its own ID, as shown by status.'
    : `${clips} clips were skipped: they were cancelled, they are too large, or their files are missing. To retry one, use its own ID, as shown by status.`;

function resumedText(clips: number, incidents: number): string {
  if (clips + incidents === 0) return 'Nothing to retry.';
  const named = [
    ...(clips > 0 ? [counted(clips, 'clip')] : []),
    ...(incidents > 0 ? [counted(incidents, 'incident')] : []),
  ];
  return `${named.join(' and ')} will be retried.`;
}
