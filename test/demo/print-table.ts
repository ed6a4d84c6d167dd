import { formatTable, type Column } from '../../electron/cli/table.ts';
import { formatBytes, formatDuration } from '../../shared/lib/readable-amounts.ts';
import type { Evidence } from './evidence.ts';
import type { Colour, Screen } from './screen.ts';
import type { ClipVerdict } from './verify-clip.ts';
import type { IncidentVerdict, Verdict } from './verify.ts';

/** Hexadecimal digits that are shown of a hash; all 64 are compared. */
const SHORT_HASH = 10;
/** Smallest width to which a clip's name is shortened, in its middle, characters. */
const LEAST_CLIP_COLUMNS = 15;
/** Below this width the least important columns are left out, characters. */
const WIDE_COLUMNS = 110;
const INDENT = '  ';
const GAP_COLUMNS = 2;

interface TableColumn extends Column {
  readonly widest: number;
  /** Shown only where there is room. */
  readonly isExtra?: boolean;
  readonly text: (clip: ClipVerdict) => string;
}

const columns: readonly TableColumn[] = [
  { heading: 'camera', widest: 14, text: (clip) => clip.cameraName ?? '' },
  {
    heading: 'start UTC',
    widest: 19,
    text: ({ startedAt }) => (startedAt ?? '').slice(0, 19).replace('T', ' '),
  },
  { heading: 'size', align: 'right', widest: 8, text: (clip) => formatBytes(clip.sizeBytes) },
  { heading: 'state', widest: 8, isExtra: true, text: (clip) => clip.state },
  { heading: 'image', widest: 5, isExtra: true, text: (clip) => (clip.hasThumbnail ? 'yes' : '-') },
  {
    heading: 'SHA-256',
    widest: SHORT_HASH,
    isExtra: true,
    text: ({ sha256 }) => (sha256 ?? '-').slice(0, SHORT_HASH),
  },
  { heading: 'verdict', widest: 10, text: (clip) => verdictText(clip) },
];

/** Prints the clips by incident with their results, then the differences and a summary. */
export function printVerdict(screen: Screen, verdict: Verdict, evidence: Evidence): void {
  printTable(screen, verdict.incidents);
  screen.line();
  printByDesign(screen, verdict);
  printBystanders(screen, verdict);
  const uploaded = clipsOf(verdict).filter((clip) => clip.state === 'uploaded');
  const bytes = [...evidence.objects.values()].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const images = evidence.objects.size - uploaded.length;
  screen.line(
    `${evidence.objects.size} objects read back from storage and compared by SHA-256: ` +
      `${uploaded.length} clips, ${images} thumbnails, ${formatBytes(bytes)}. Uploads left open: ${evidence.openUploads.length}.`,
  );
}

/**
 * Prints the last lines: that all is well, or what differs; and the total time, including making and comparing the
 * exports.
 */
export function printEnd(
  screen: Screen,
  { differences }: Verdict,
  evidence: Evidence,
  elapsedMs: number,
): void {
  const summary = evidence.events.find((event) => event.event === 'summary');
  const ofAgent = summary === undefined ? '' : `, the agent ${formatDuration(summary.seconds * 1000)} of it`;
  const time = `${formatDuration(elapsedMs)}${ofAgent}`;
  if (differences.length === 0) {
    screen.line(screen.paint('green', `✓ Everything is as expected, in ${time}.`));
    return;
  }
  const count = differences.length === 1 ? '1 thing differs' : `${differences.length} things differ`;
  screen.line(screen.paint('red', `✕ ${count}, after ${time}:`));
  for (const difference of differences) screen.line(`${INDENT}${difference}`);
}

function printTable(screen: Screen, incidents: readonly IncidentVerdict[]): void {
  const shown = columns.filter((column) => screen.columns() >= WIDE_COLUMNS || column.isExtra !== true);
  const others = shown.reduce((sum, { widest }) => sum + widest + GAP_COLUMNS, INDENT.length);
  const clipColumn: Column = {
    heading: 'incident, clip',
    widest: Math.max(LEAST_CLIP_COLUMNS, screen.columns() - others),
  };
  const clips = incidents.flatMap((incident) => incident.clips);
  const rows = clips.map((clip) => [clip.file, ...shown.map(({ text }) => text(clip))]);
  const [heading = '', ...lines] = formatTable([clipColumn, ...shown], rows);
  screen.line(screen.paint('dim', `${INDENT}${heading}`));
  let next = 0;
  for (const { sample, clips: own, problems } of incidents) {
    const note = screen.paint('dim', `(${sample.vendor})`);
    const mark = problems.length === 0 ? '' : screen.paint('red', '  ✕ DIFFERS');
    screen.line(`${screen.paint('bold', sample.expected.title)} ${note}${mark}`);
    for (const clip of own) screen.line(`${INDENT}${painted(screen, lines[next++] ?? '', clip)}`);
  }
}

function painted(screen: Screen, line: string, clip: ClipVerdict): string {
  const text = verdictText(clip);
  return `${line.slice(0, line.length - text.length)}${screen.paint(verdictColour(clip), text)}`;
}

function verdictText({ problems, state }: ClipVerdict): string {
  if (problems.length > 0) return '✕ DIFFERS';
  return state === 'uploaded' ? '✓ same' : '✓ reported';
}

function verdictColour({ problems, state }: ClipVerdict): Colour {
  if (problems.length > 0) return 'red';
  return state === 'uploaded' ? 'green' : 'yellow';
}

/** Prints the clips that had to fail, with the reasons that the service has. */
function printByDesign(screen: Screen, verdict: Verdict): void {
  for (const { uploadErrors, state, problems } of clipsOf(verdict)) {
    if (state !== 'failed' || problems.length > 0) continue;
    screen.line(
      `Failed as expected; the incident says why: ${screen.paint('yellow', uploadErrors.join(' '))}`,
    );
  }
}

/** Prints the files that were in the folders and must not be in storage: no incident would list them there. */
function printBystanders(screen: Screen, { incidents, differences }: Verdict): void {
  if (differences.length > 0) return;
  const bystanders = incidents.flatMap(({ sample }) => sample.bystanders ?? []);
  const names = bystanders.map(({ file, kind }) => `${file} (${kind})`);
  screen.line(`Not sent, as expected: ${names.join(', ')}.`);
}

function clipsOf(verdict: Verdict): readonly ClipVerdict[] {
  return verdict.incidents.flatMap((incident) => incident.clips);
}
