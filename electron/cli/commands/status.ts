import { formatBytes } from '../../../shared/lib/bytes.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import type { ClipView, IncidentView } from '../../agent/calls/read-status.ts';
import { defineCommand, parseQueueOptions, queueOptions, refuseOperands } from '../command.ts';
import { dataDirOf } from '../deps.ts';
import { exitCodes } from '../exit-codes.ts';
import { jsonText } from '../output.ts';
import { reportFailures } from '../report-failure.ts';
import { formatTable, type Column } from '../table.ts';

/** Lists incidents and clips with states, reasons and sizes. */
export const status = defineCommand({
  name: 'status',
  usage: ['status [--json]'],
  purpose: 'Lists incidents and clips with states, reasons and sizes.',
  options: { ...queueOptions, json: { help: 'one list of incidents on stdout' } },
  parse(line) {
    refuseOperands(line);
    return { ...parseQueueOptions(line), json: line.has('json') };
  },
  async run(input, deps) {
    const { output, clock, readStatus } = deps;
    const report = await readStatus(dataDirOf(input, deps));
    if (!report.ok) return reportFailures([report.error], { output, clock, json: false });
    const { incidents } = report.value;
    if (input.json) output.line(jsonText(incidents, 2));
    else for (const line of statusLines(incidents)) output.line(line);
    return exitCodes.ok;
  },
});

function statusLines(incidents: readonly IncidentView[]): readonly string[] {
  if (incidents.length === 0) return ['No incidents yet.'];
  return [...incidents.flatMap((incident) => incidentLines(incident)), totalLine(incidents)];
}

const incidentWords: Readonly<Record<IncidentView['state'], string>> = {
  waiting: '○ Waiting',
  uploading: '▲ Uploading',
  synced: '✓ Sent',
  attention: '✕ Attention',
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

function incidentLines(incident: IncidentView): readonly string[] {
  const { uploaded, failed, pending } = incident;
  const at = incident.incidentAt === undefined ? '' : `  ${incident.incidentAt}`;
  const counts = `${uploaded} sent, ${failed} failed, ${pending} waiting`;
  const head = `${incidentWords[incident.state]}  "${visibleName(incident.title)}"${at}  ${counts}`;
  const place = `  ${incident.id}  ${visibleName(incident.folder)}`;
  const clips = incident.clips.length === 0 ? [] : formatTable(columns, incident.clips.map(clipRow));
  return [head, place, ...clips, ''];
}

function clipRow(clip: ClipView): readonly string[] {
  const word = `  ${clipWords[clip.state]}`;
  return [word, clip.file, sizeText(clip), clip.camera ?? '', clip.id, reasonText(clip)];
}

function sizeText({ state, sizeBytes, bytesSent }: ClipView): string {
  const size = formatBytes(sizeBytes);
  const isUnderWay = state !== 'uploaded' && bytesSent !== undefined && bytesSent > 0;
  return isUnderWay ? `${formatBytes(bytesSent)} of ${size}` : size;
}

function reasonText({ code, message, advice, attempts, nextTryAt }: ClipView): string {
  if (code === undefined) return '';
  const tries = attempts > 1 ? ` (${attempts} tries)` : '';
  const next = nextTryAt === undefined ? '' : ` Next try ${nextTryAt}.`;
  return `${code}: ${message ?? ''} ${advice ?? ''}`.trimEnd() + tries + next;
}

function totalLine(incidents: readonly IncidentView[]): string {
  const sum = (pick: (incident: IncidentView) => number): number =>
    incidents.reduce((total, incident) => total + pick(incident), 0);
  const size = sum(({ clips }) => clips.reduce((total, clip) => total + clip.sizeBytes, 0));
  const counts = `${sum((each) => each.uploaded)} clips sent, ${sum((each) => each.failed)} failed, ${sum((each) => each.pending)} waiting`;
  return `${incidents.length} incidents, ${counts}, ${formatBytes(size)} in all.`;
}
