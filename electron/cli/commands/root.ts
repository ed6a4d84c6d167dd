import { resolve } from 'node:path';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { defineCommand, parseQueueOptions, queueOptions, UsageError } from '../command.ts';
import { dataDirOf } from '../deps.ts';
import { exitCodeFor, exitCodes } from '../exit-codes.ts';
import { reportFailures } from '../report-failure.ts';

/** Answers whether a watched folder's files are the ones that were sent before (ROOT_DIFFERENT). */
export const root = defineCommand({
  name: 'root',
  usage: ['root FOLDER (--adopt | --send)'],
  purpose: 'Tells the agent whether a watched folder contains evidence that was sent before.',
  operands: { FOLDER: 'full path of the watched folder' },
  options: {
    ...queueOptions,
    adopt: { help: 'the same evidence on another disk: what was sent before is not sent again' },
    send: { help: 'different evidence: everything is sent as new' },
  },
  parse(line) {
    const [folder, ...more] = line.operands;
    if (folder === undefined || more.length > 0 || line.has('adopt') === line.has('send'))
      throw new UsageError('root needs one folder and either --adopt or --send.');
    const answer = line.has('adopt') ? ('adopt' as const) : ('send' as const);
    return { ...parseQueueOptions(line), folder, answer };
  },
  async run(input, deps) {
    const { output, clock, answerStoredRoot, places } = deps;
    const folder = resolve(places.workingDir, input.folder);
    const outcome = await answerStoredRoot(dataDirOf(input, deps), folder, input.answer);
    if (!outcome.ok) {
      reportFailures([outcome.error], { output, clock, json: false });
      return exitCodeFor(outcome.error.code, exitCodes.usage);
    }
    const text =
      input.answer === 'adopt'
        ? 'Exports that were sent before will not be sent again.'
        : 'All exports will be sent as new.';
    output.line(`${visibleName(folder)}: ${text}`);
    return exitCodes.ok;
  },
});
