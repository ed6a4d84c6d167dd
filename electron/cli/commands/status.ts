import { formatBytes, formatDuration } from '../../../shared/lib/readable-amounts.ts';
import { otherClasses, type FileAccount } from '../../../shared/domain/file-account.ts';
import { needsPerson, type SeenExport, type SeenState } from '../../../shared/domain/seen-export.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import type { ClipView, IncidentView, PrintedSummary } from '../../agent/calls/read-status.ts';
import { defineCommand, parseQueueOptions, queueOptions, refuseOperands } from '../command.ts';
import { dataDirOf } from '../deps.ts';
import { exitCodes } from '../exit-codes.ts';
import { counted, countedFiles, jsonText, seenWords } from '../output.ts';
import { reportFailures } from '../report-failure.ts';
import { formatTable, type Column } from '../table.ts';

/** Lists incidents and clips with states, reasons and sizes. */
export const status = defineCommand({
  name: 'status',
  usage: ['status [--summary] [--json]'],
  purpose: 'Lists incidents and clips with states, reasons and sizes.',
  options: {
    ...queueOptions,
    summary: { help: 'only totals, without names: what is waiting or failed, and since when' },
    json: { help: 'one JSON list of incidents on stdout; with --summary, one JSON object' },
  },
  parse(line) {
    refuseOperands(line);
    return { ...parseQueueOptions(line), summary: line.has('summary'), json: line.has('json') };
  },
  async run(input, deps) {
    const { output, clock, readStatus, readSummary } = deps;
    if (input.summary) {
      const summary = await readSummary(dataDirOf(input, deps));
      if (!summary.ok) return reportFailures([summary.error], { output, clock, json: false });
      if (input.json) output.line(jsonText(summary.value, 2));
      else for (const line of summaryLines(summary.value, clock.now())) output.line(line);
      return exitCodes.ok;
    }
    const report = await readStatus(dataDirOf(input, deps));
    if (!report.ok) return reportFailures([report.error], { output, clock, json: false });
    const { incidents } = report.value;
    if (input.json) output.line(jsonText(incidents, 2));
    else for (const line of statusLines(incidents)) output.line(line);
    return exitCodes.ok;
  },
});

function summaryLines(summary: PrintedSummary, nowMs: number): readonly string[] {
  const { isRunning, isPaused, waiting, failed, refused, exports, lastSentAt } = summary;
  const ageOf = (time: string): string => formatDuration(nowMs - Date.parse(time));
  const since = (time: string | undefined): string =>
    time === undefined ? '' : `, since ${time} (${ageOf(time)})`;
  const clips = failed.reduce((sum, each) => sum + each.clips, 0);
  const paused = waiting.paused === 0 ? '' : ` (${waiting.paused} paused)`;
  const agent = isPaused ? 'running, uploads paused' : 'running';
  return formatTable(
    [{ heading: 'DESK' }, { heading: '' }],
    [
      ['Agent', isRunning ? agent : 'not running'],
      [
        'Waiting',
        `${counted(waiting.clips, 'clip')}${paused}, ${formatBytes(waiting.bytes)}${since(waiting.since)}`,
      ],
      ['Failed', counted(clips, 'clip')],
      ...failed.map((each) => ['', `${each.code}: ${counted(each.clips, 'clip')}${since(each.since)}`]),
      ['Refused', counted(refused, 'incident')],
      [
        'Not queued',
        `${counted(exports.count, 'export')} held back, with files missing, or not recognised${since(exports.since)}`,
      ],
      ['Last sent', lastSentAt === undefined ? 'never' : `${lastSentAt} (${ageOf(lastSentAt)} ago)`],
    ],
  );
}

function statusLines(incidents: readonly IncidentView[]): readonly string[] {
  if (incidents.length === 0) return ['No incidents.'];
  return [...incidents.flatMap((incident) => incidentLines(incident)), totalLine(incidents)];
}

const incidentWords: Readonly<Record<Exclude<IncidentView['state'], SeenState>, string>> = {
  waiting: '○ Waiting',
  uploading: '▲ Uploading',
  synced: '✓ Sent',
  attention: '✕ Needs attention',
};

const clipWords: Readonly<Record<ClipView['state'], string>> = {
  queued: '○ Waiting',
  uploading: '▲ Uploading',
  uploaded: '✓ Sent',
  failed: '✕ Failed',
};

const columns: readonly Column[] = [
  { heading: '  STATE' },
  { heading: 'FILE', widest: 48 },
  { heading: 'SIZE', align: 'right' },
  { heading: 'CAMERA', widest: 24 },
  { heading: 'ID' },
  { heading: 'REASON' },
];

/** An export, or the part of an incident's folder that is not in the queue: its state, why, and what to do. */
function exportLines(seen: SeenExport, isWhole: boolean): readonly string[] {
  const { state, name, facts, since, settlesAt, message, advice, folder } = seen;
  const glyph = needsPerson(state) ? '!' : '○';
  const title = name === '' ? 'Files outside a folder' : `"${visibleName(name)}"`;
  const until = settlesAt === undefined ? '' : `, until ${settlesAt}`;
  const head = `${glyph} ${seenWords[state]}  ${isWhole ? `${title}  ` : ''}since ${since}${until}`;
  const files = facts.named
    .slice(1)
    .map(({ path, failure }) => `    ${failure?.message ?? visibleName(path)}`);
  const others = facts.concerned - facts.named.length;
  return [
    ...(isWhole ? [head, `  ${visibleName(folder)}`] : [`  ${head}`]),
    `  ${message} ${advice}`,
    ...(state === 'held' ? files : []),
    ...(state === 'held' && others > 0 ? [`    and ${others} more`] : []),
  ];
}

function incidentLines(incident: IncidentView): readonly string[] {
  const { uploaded, failed, leftOut, pending, state } = incident;
  if (!isIncidentState(state)) return [...(incident.export ? exportLines(incident.export, true) : []), ''];
  const rest = incident.export === undefined ? [] : exportLines(incident.export, false);
  const at = incident.incidentAt === undefined ? '' : `  ${incident.incidentAt}`;
  const out = leftOut === 0 ? '' : `, ${leftOut} left out`;
  const counts = `${uploaded} sent, ${failed} failed${out}, ${pending} waiting`;
  const head = `${incidentWords[state]}  "${visibleName(incident.title)}"${at}  ${counts}`;
  const place = `  ${incident.id}  ${visibleName(incident.folder)}`;
  const clips = incident.clips.length === 0 ? [] : formatTable(columns, incident.clips.map(clipRow));
  const hurry =
    incident.goneAt === undefined
      ? []
      : [
          `  Goes first because its files are expected to be deleted from their folder at ${incident.goneAt}.`,
        ];
  const { code, message, advice } = incident;
  const why = code === undefined ? [] : [`  ${code}: ${message ?? ''} ${advice ?? ''}`.trimEnd()];
  return [head, place, ...why, ...hurry, ...clips, ...rest, ...fileLines(incident.files), ''];
}

/** The other files in the folder, with the names of unrecognised ones. */
function fileLines(files: FileAccount | undefined): readonly string[] {
  if (files === undefined) return [];
  const words = otherClasses.flatMap((each) => countedFiles(files.counts[each] ?? 0, each));
  const unknown = files.named.filter((file) => file.class === 'unknown').map(({ why }) => `    ${why}`);
  return words.length === 0 ? [] : [`  Not sent: ${words.join(', ')}`, ...unknown];
}

const isIncidentState = (state: IncidentView['state']): state is keyof typeof incidentWords =>
  state in incidentWords;

function clipRow(clip: ClipView): readonly string[] {
  const word = clip.leftOutAt === undefined ? `  ${clipWords[clip.state]}` : '  – Left out';
  return [word, clip.file, sizeText(clip), clip.camera ?? '', clip.id, reasonText(clip)];
}

function sizeText({ state, sizeBytes, bytesSent }: ClipView): string {
  const size = formatBytes(sizeBytes);
  const isUnderWay = state !== 'uploaded' && bytesSent !== undefined && bytesSent > 0;
  return isUnderWay ? `${formatBytes(bytesSent)} of ${size}` : size;
}

function reasonText({ code, message, advice, attempts, nextTryAt }: ClipView): string {
  if (code === undefined) return '';
  const tries = attempts > 1 ? ` (${attempts} attempts)` : '';
  const next = nextTryAt === undefined ? '' : ` Next attempt ${nextTryAt}.`;
  return `${code}: ${message ?? ''} ${advice ?? ''}`.trimEnd() + tries + next;
}

function totalLine(incidents: readonly IncidentView[]): string {
  const sum = (pick: (incident: IncidentView) => number): number =>
    incidents.reduce((total, incident) => total + pick(incident), 0);
  const size = sum(({ clips }) => clips.reduce((total, clip) => total + clip.sizeBytes, 0));
  const counts = `${counted(
    sum((each) => each.uploaded),
    'clip',
  )} sent, ${sum((each) => each.failed)} failed, ${sum((each) => each.pending)} waiting`;
  const known = incidents.filter(({ state }) => isIncidentState(state)).length;
  const left = incidents.filter((each) => each.export !== undefined && needsPerson(each.export.state)).length;
  const open =
    left === 0 ? '' : ` ${counted(left, 'export')} held back, with files missing, or not recognised.`;
  return `${counted(known, 'incident')}, ${counts}, ${formatBytes(size)} in total.${open}`;
}
