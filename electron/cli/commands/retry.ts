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
  operands: { ID: 'ID of an incident or of a clip, as status shows it' },
  options: {
    ...queueOptions,
    all: { help: 'everything that failed, except cancelled clips and missing files' },
  },
  parse(line): RetryInput {
    const [id, ...more] = line.operands;
    if (line.has('all') === (id !== undefined) || more.length > 0)
      throw new UsageError('retry needs either one ID or --all.', 'status shows the IDs.');
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
    output.line(`${whatIsBack(retried, incidents)} in the queue again.`);
    if (skipped > 0)
      output.line(
        `${skipped} skipped: cancelled, or the file is gone. To retry such a clip, use its own ID; status shows it.`,
      );
    return exitCodes.ok;
  },
});

/** Says that nobody waits for failed clips any more; the app has the same on each of them. */
export const leaveOut = defineCommand({
  name: 'leave-out',
  usage: ['leave-out ID... [--undo]'],
  purpose: 'Leaves failed clips out of what needs attention.',
  operands: {
    ID: 'ID of a failed clip, or of an incident for each of its clips that retry would skip',
  },
  options: { ...queueOptions, undo: { help: 'counts the clips as failed again' } },
  parse(line) {
    if (line.operands.length === 0)
      throw new UsageError('leave-out needs the ID of a clip or an incident.', 'status shows the IDs.');
    return { ...parseQueueOptions(line), ids: line.operands, isLeftOut: !line.has('undo') };
  },
  async run(input, deps) {
    const { output, clock, leaveOutClips } = deps;
    const { ids, isLeftOut } = input;
    const outcome = await leaveOutClips(dataDirOf(input, deps), { ids, isLeftOut }, clock);
    if (!outcome.ok) {
      reportFailures([outcome.error], { output, clock, json: false });
      return exitCodeFor(outcome.error.code, exitCodes.usage);
    }
    output.line(whatIsLeftOut(outcome.value, isLeftOut));
    return exitCodes.ok;
  },
});

function whatIsLeftOut(clips: number, isLeftOut: boolean): string {
  if (clips === 0)
    return isLeftOut
      ? 'Nothing changed: no clip failed permanently, or all are already left out.'
      : 'Nothing changed: no clip is left out.';
  const verb = clips === 1 ? (isLeftOut ? 'is' : 'counts') : isLeftOut ? 'are' : 'count';
  return `${count(clips, 'clip')} ${verb} ${isLeftOut ? 'left out' : 'as failed again'}.`;
}

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`;

function whatIsBack(clips: number, incidents: number): string {
  const named = [
    ...(clips > 0 || incidents === 0 ? [count(clips, 'clip')] : []),
    ...(incidents > 0 ? [count(incidents, 'incident')] : []),
  ];
  return `${named.join(' and ')} ${clips + incidents === 1 ? 'is' : 'are'}`;
}
