import type { Sourced } from '../../../../shared/domain/sourced.ts';
import { cutText } from '../naming/describe-clip.ts';
import type { DescribedClip, DescribedIncident, ExportEvidence } from '../naming/described-export.ts';
import { baseName, splitName } from '../naming/file-kinds.ts';
import type { ExportRef } from '../settle/file-seen.ts';
import { readFolderName, type FolderNameReading } from '../naming/read-folder-name.ts';
import { visibleName } from '../../../../shared/lib/visible-name.ts';
import { fileTimeMs, isPlausible } from '../times/clip-times.ts';
import { formatLocal, resolveWallTime } from '../times/zoned-time.ts';

/** Longest title that is sent, characters: the limit of a comparable service. */
export const MAX_TITLE_LENGTH = 200;
/** A folder name without seconds may be this much before its first clip, milliseconds. */
const MINUTE_MS = 60_000;

/** The incident of an export, from sidecar, folder name and its described clips. */
export function describeIncident(
  evidence: ExportEvidence,
  clips: readonly DescribedClip[],
): DescribedIncident {
  const { sidecar, overrides } = evidence;
  const folder = readFolderName(nameOf(evidence.exportRef));
  const incidentAt = incidentAtOf(evidence, folder, clips);
  const guessedAt = incidentAt === undefined ? lastWritten(evidence) : undefined;
  const description =
    sourced(overrides?.description, 'command-line') ??
    sourced(sidecar?.description, 'sidecar') ??
    unknownTimeText(guessedAt);
  const id = sourced(sidecar?.id, 'sidecar');
  const externalId = sourced(sidecar?.externalId, 'sidecar');
  return {
    ...(id && { id }),
    ...(externalId && { externalId }),
    title: titleOf(evidence, folder, clips),
    ...(description && { description }),
    ...(incidentAt && { incidentAt }),
    ...(guessedAt && { guessedAt }),
    ...positionOf(evidence, incidentAt, clips),
  };
}

/** What the place of an incident is called: its folder, or the loose clip that it is. Clips of several folders have no name. */
function nameOf({ exportPath, folder, unit }: ExportRef): string {
  const name = baseName(exportPath);
  if (folder === undefined) return name;
  return unit === 'window' ? '' : splitName(name).stem;
}

function titleOf(
  evidence: ExportEvidence,
  folder: FolderNameReading,
  clips: readonly DescribedClip[],
): Sourced<string> {
  const given =
    title(evidence.overrides?.title, 'command-line') ??
    title(evidence.sidecar?.title, 'sidecar') ??
    title(folder.title, 'folder-name');
  if (given !== undefined) return given;
  const startMs = earliest(clips)?.value;
  // Seconds say more than a reader of a list wants to know.
  const when =
    startMs === undefined
      ? visibleName(baseName(evidence.exportRef.exportPath).trim())
      : formatLocal(startMs, zoneOf(evidence)).slice(0, 16);
  return { value: `Incident ${when}`.trim(), source: 'generated', confidence: 'low' };
}

function title(text: string | undefined, source: Sourced<string>['source']): Sourced<string> | undefined {
  const value = cutText(visibleName(text?.trim() ?? ''), MAX_TITLE_LENGTH);
  return value === ''
    ? undefined
    : { value, source, confidence: source === 'folder-name' ? 'medium' : 'high' };
}

function sourced<T>(value: T | undefined, source: Sourced<T>['source']): Sourced<T> | undefined {
  return value === undefined ? undefined : { value, source, confidence: 'high' };
}

/** service.md gap 31: a person, sidecar, folder name inside the clips' range, earliest clip. */
function incidentAtOf(
  evidence: ExportEvidence,
  folder: FolderNameReading,
  clips: readonly DescribedClip[],
): Sourced<number> | undefined {
  const { sidecar, overrides } = evidence;
  if (overrides?.incidentAtMs !== undefined) return sourced(overrides.incidentAtMs, 'command-line');
  if (sidecar?.incidentAt !== undefined) {
    const { ms, note } = sidecar.incidentAt;
    return {
      value: ms,
      source: 'sidecar',
      confidence: note === undefined ? 'high' : 'low',
      ...(note && { note }),
    };
  }
  const first = earliest(clips);
  if (first === undefined) return undefined;
  const folderTime = folderNameTime(folder, zoneOf(evidence));
  if (folderTime !== undefined && isInside(folderTime.value, folder, clips)) return folderTime;
  const { value, confidence, note } = first;
  return { value, source: 'clips', confidence, note: note ?? 'start of the earliest clip' };
}

/** When the first of the clips was written last: copying or exporting sets it, so that it may be far off. */
function lastWritten({ recognised, settledAtMs }: ExportEvidence): Sourced<number> | undefined {
  const times = recognised.clips.map(fileTimeMs).filter((timeMs) => isPlausible(timeMs, settledAtMs, 0));
  if (times.length === 0) return undefined;
  const note = 'when the file was last written; copying or exporting sets this, so it may be far off';
  const value = times.reduce((first, timeMs) => Math.min(first, timeMs));
  return { value, source: 'file-time', confidence: 'low', note };
}

function unknownTimeText(guessedAt: Sourced<number> | undefined): Sourced<string> | undefined {
  if (guessedAt === undefined) return undefined;
  const written = formatLocal(guessedAt.value, 'UTC').slice(0, 16);
  const value = `Recording time not known; file last written ${written} UTC.`;
  return { value, source: 'generated', confidence: 'low' };
}

function folderNameTime(folder: FolderNameReading, timeZone: string): Sourced<number> | undefined {
  if (folder.time === undefined || folder.time.precision === 'day') return undefined;
  const time = resolveWallTime(folder.time.wall, timeZone);
  if (time === undefined) return undefined;
  const isClear = !time.ambiguous && !time.nonexistent;
  return { value: time.ms, source: 'folder-name', confidence: isClear ? 'medium' : 'low' };
}

function isInside(ms: number, folder: FolderNameReading, clips: readonly DescribedClip[]): boolean {
  const known = timed(clips);
  const starts = known.map((clip) => clip.startedAt.value);
  const ends = known.map((clip) => clip.endedAt?.value ?? clip.startedAt.value);
  const slackMs = folder.time?.precision === 'minute' ? MINUTE_MS : 0;
  return ms + slackMs > Math.min(...starts) - 1 && ms <= Math.max(...ends);
}

type TimedClip = DescribedClip & { readonly startedAt: Sourced<number> };

function timed(clips: readonly DescribedClip[]): readonly TimedClip[] {
  return clips.filter((clip): clip is TimedClip => clip.startedAt !== undefined);
}

function earliest(clips: readonly DescribedClip[]): Sourced<number> | undefined {
  return timed(clips)
    .map((clip) => clip.startedAt)
    .toSorted((left, right) => left.value - right.value)
    .at(0);
}

/** The sidecar's position, else that of the camera whose clip starts nearest to the incident. */
function positionOf(
  evidence: ExportEvidence,
  incidentAt: Sourced<number> | undefined,
  clips: readonly DescribedClip[],
): Pick<DescribedIncident, 'latitude' | 'longitude'> {
  const { sidecar } = evidence;
  if (sidecar?.latitude !== undefined && sidecar.longitude !== undefined) {
    const source = { source: 'sidecar', confidence: 'high' } as const;
    return {
      latitude: { value: sidecar.latitude, ...source },
      longitude: { value: sidecar.longitude, ...source },
    };
  }
  const distance = (clip: DescribedClip): number =>
    Math.abs((clip.startedAt?.value ?? Number.MAX_SAFE_INTEGER) - (incidentAt?.value ?? 0));
  const nearest = clips
    .filter((clip) => clip.cameraLatitude !== undefined && clip.cameraLongitude !== undefined)
    .toSorted((left, right) => distance(left) - distance(right))
    .at(0);
  if (nearest?.cameraLatitude === undefined || nearest.cameraLongitude === undefined) return {};
  const source = {
    source: 'clips',
    confidence: 'medium',
    note: `position of the camera of ${visibleName(nearest.path)}`,
  } as const;
  return {
    latitude: { value: nearest.cameraLatitude.value, ...source },
    longitude: { value: nearest.cameraLongitude.value, ...source },
  };
}

function zoneOf(evidence: ExportEvidence): string {
  return evidence.sidecar?.timeZone ?? evidence.watch.timeZone;
}
