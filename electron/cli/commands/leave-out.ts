import { defineCommand, parseQueueOptions, queueOptions, UsageError } from '../command.ts';
import { dataDirOf } from '../deps.ts';
import { exitCodeFor, exitCodes } from '../exit-codes.ts';
import { counted } from '../output.ts';
import { reportFailures } from '../report-failure.ts';

/** Marks failed clips as needing no attention; the app offers the same for each clip. */
export const leaveOut = defineCommand({
  name: 'leave-out',
  usage: ['leave-out ID... [--undo]'],
  purpose: 'Marks failed clips as left out, so that they no longer need attention.',
  operands: {
    ID: 'ID of a failed clip, or of an incident (all its failed clips that retry would skip)',
  },
  options: { ...queueOptions, undo: { help: 'counts the clips as failed again' } },
  parse(line) {
    if (line.operands.length === 0)
      throw new UsageError(
        'leave-out needs the ID of a clip or an incident.',
        'Run "status" to see the IDs.',
      );
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
      ? 'Nothing changed: there was nothing to leave out. For an incident, only failed clips that retry would skip are left out.'
      : 'Nothing changed: none of these clips was left out.';
  const verb = clips === 1 ? (isLeftOut ? 'is' : 'counts') : isLeftOut ? 'are' : 'count';
  return `${counted(clips, 'clip')} ${verb} ${isLeftOut ? 'left out' : 'as failed again'}.`;
}
