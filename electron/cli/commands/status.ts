import { formatBytes } from '../../../shared/lib/bytes.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import type { StatusCommand } from '../command.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { dataDirOf, type Host } from '../deps.ts';
import { jsonText } from '../json-text.ts';
import type { ClipView, IncidentView } from '../../agent/views/read-status.ts';
import type { ReadStatus, StatusView } from '../needs.ts';
import { reportFailures } from '../report-failure.ts';
import { formatTable, type Column } from '../table.ts';

/** Lists incidents and clips with states, reasons and sizes. */
export async function statusCommand(
  command: StatusCommand,
  host: Host,
  { readStatus }: { readonly readStatus: ReadStatus },
): Promise<ExitCode> {
  const { output, clock } = host;
  const view = await readStatus(dataDirOf(command, host));
  if (!view.ok) return reportFailures([view.error], { output, clock, json: false });
  if (command.json) output.line(jsonText(view.value.incidents, 2));
  else for (const line of statusLines(view.value)) output.line(line);
  return exitCodes.ok;
}

/** The queue as lines of text. */
export function statusLines({ incidents, lanes }: StatusView): readonly string[] {
  const paused = lanes.map((lane) =>
    `‖ Paused  ${lane.code}: ${lane.message} ${lane.advice ?? ''}`.trimEnd(),
  );
  if (incidents.length === 0) return [...paused, 'No incidents yet.'];
  return [...paused, ...incidents.flatMap((incident) => incidentLines(incident)), totalLine(incidents)];
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
