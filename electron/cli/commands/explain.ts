import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type {
  ExplainedClip,
  ExplainedReading,
  ExplainedValue,
  Explanation,
} from '../../../shared/domain/explanation.ts';
import { fileClasses } from '../../../shared/domain/file-account.ts';
import type { Failure } from '../../../shared/domain/failure.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { defineCommand, parseQueueOptions, queueOptions, UsageError } from '../command.ts';
import { agentConfig, loadConfig } from '../deps.ts';
import { exitCodeFor, exitCodes, untilStopped } from '../exit-codes.ts';
import { countedFiles, fileWords, jsonText } from '../output.ts';
import { reportFailures } from '../report-failure.ts';
import { formatTable, type Column } from '../table.ts';

/** Shows how a folder is read, and why. */
export const explain = defineCommand({
  name: 'explain',
  usage: ['explain FOLDER [--json]'],
  purpose: `Shows how an export folder is read and why: where each value comes from and what
else was considered, and how each file is classified.`,
  operands: { FOLDER: 'an export folder, before or after it is sent' },
  options: { ...queueOptions, json: { help: 'one JSON object on stdout' } },
  remark: `Nothing is sent, stored or written. A folder inside a watched folder is read
with the settings of the watched folder.`,
  parse(line) {
    const [folder = '', ...others] = line.operands;
    if (folder === '' || others.length > 0) throw new UsageError('explain needs one folder.');
    return { ...parseQueueOptions(line), folder, json: line.has('json') };
  },
  async run(input, deps) {
    const { output, clock, places } = deps;
    const reporting = { output, clock, json: input.json };
    const named = resolve(places.workingDir, input.folder);
    const facts = await stat(named).catch(() => undefined);
    if (facts?.isDirectory() !== true) {
      reportFailures([noFolder(named)], reporting);
      return exitCodes.usage;
    }
    const loaded = await loadConfig(input, deps, 'nothing');
    if (!loaded.ok) return reportFailures(loaded.error, reporting);
    const ports = deps.createPorts({ logLevel: 'error', logFormat: input.json ? 'json' : 'text' });
    return untilStopped(deps.listenForStop(), async (signal) => {
      const config = agentConfig(loaded.value, input, deps);
      const explanation = await deps.explainForDesk(config, ports, await realpath(named), signal);
      if (!explanation.ok) {
        reportFailures([explanation.error], reporting);
        return exitCodeFor(explanation.error.code, exitCodes.fault);
      }
      if (input.json) output.line(jsonText(explanation.value, 2));
      else for (const line of explanationLines(explanation.value)) output.line(line);
      return exitCodes.ok;
    });
  },
});

const noFolder = (path: string): Failure => ({
  code: 'ROOT_NOT_FOLDER',
  message: `No folder was found at ${visibleName(path)}.`,
  advice: 'Choose an existing folder that contains the clips of one incident.',
  retryable: false,
});

const fileColumns: readonly Column[] = [
  { heading: '  CLASSIFIED AS' },
  { heading: 'FILE', widest: 60 },
  { heading: 'BECAUSE' },
];

function explanationLines(explanation: Explanation): readonly string[] {
  const { folder, knownAs, counts, files, incident, clips, warnings, isCut } = explanation;
  const words = fileClasses.flatMap((each) => countedFiles(counts[each] ?? 0, each));
  const rows = files.map((file) => [`  ${fileWords[file.class].one}`, file.path, file.why]);
  return [
    visibleName(folder),
    knownAs === undefined
      ? 'Not in the queue.'
      : `In the queue as "${visibleName(knownAs.title)}"  ${knownAs.incidentId}`,
    '',
    `Files: ${words.join(', ') || 'none'}`,
    ...(rows.length === 0 ? [] : formatTable(fileColumns, rows)),
    '',
    'Incident',
    ...valueLines(incident),
    ...clips.flatMap(clipLines),
    ...(warnings.length === 0 ? [] : ['', 'Notes']),
    ...warnings.map(({ code, message }) => `  ${code}: ${message}`),
    ...(isCut ? ['', 'The folder contains more than is shown here.'] : []),
  ];
}

function clipLines({ file, names, values, isOpened }: ExplainedClip): readonly string[] {
  return [
    '',
    `Clip ${visibleName(file)}${isOpened ? '' : '  (metadata not read)'}`,
    `  how the name was read: ${names.verdict}`,
    ...names.others.map(({ system, why }) => `    not ${system}: ${why}`),
    ...valueLines(values),
  ];
}

/** Values with the rejected alternatives, then each way to change them, once. */
function valueLines(values: readonly ExplainedValue[]): readonly string[] {
  const lines = values.flatMap(({ field, winner, others, stored }) => [
    `  ${field}: ${winner === undefined ? unknownText(stored) : readingText(winner)}`,
    ...(stored === undefined ? [] : [`    in the queue: ${readingText(stored)}`]),
    ...others.map((other) => `    not ${readingText(other)}: ${other.why}`),
  ]);
  const ways = Map.groupBy(values, ({ overrule }) => overrule);
  const help = [...ways].map(
    ([overrule, of]) => `  To change ${of.map(({ field }) => field).join(', ')}: ${overrule}`,
  );
  return [...lines, ...help];
}

/** Values in the queue were sent, or will be, even if the folder does not have them. */
const unknownText = (stored: ExplainedReading | undefined): string =>
  stored === undefined ? 'not known, so not sent' : 'not known from the folder';

function readingText({ value, local, source, confidence, note }: ExplainedReading): string {
  const parts = [local, `${source}, ${confidence}`, note].filter((part) => part !== undefined);
  return `${visibleName(value)}  (${parts.map(visibleName).join('; ')})`;
}
