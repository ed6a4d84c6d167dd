import { standing, type Candidate, type Sourced } from '../../../../shared/domain/file-account.ts';
import { isClockDoubted } from '../naming/compare-clips.ts';
import { cutText } from '../naming/describe-clip.ts';
import type { DescribedClip, DescribedIncident, ExportEvidence } from '../naming/described-export.ts';
import { baseName, splitName } from '../naming/file-kinds.ts';
import type { SidecarTime } from '../naming/sidecar.ts';
import type { ExportRef } from '../settle/file-seen.ts';
import { readFolderName, type FolderNameReading } from '../naming/read-folder-name.ts';
import { visibleName } from '../../../../shared/lib/visible-name.ts';
import { fileTimeMs, isPlausible, WRITTEN_NOTE } from '../times/file-time.ts';
import { formatLocal, resolveWallTime } from '../times/zoned-time.ts';

/** Longest title that is sent, characters: the limit of a comparable service. */
export const MAX_TITLE_LENGTH = 200;
/** How far a folder's time without seconds may precede its first clip, milliseconds. */
const MINUTE_MS = 60_000;

/** The incident of an export, from sidecar, folder name and its described clips. */
export function describeIncident(
  evidence: ExportEvidence,
  clips: readonly DescribedClip[],
): DescribedIncident {
  const { sidecar } = evidence;
  const considered = considerIncident(evidence, clips);
  const incidentAt = standing(considered.incidentAt);
  const guessedAt = incidentAt === undefined ? lastWritten(evidence) : undefined;
  const title = standing(considered.title) ?? generatedTitle(evidence, clips);
  const description = standing(considered.description);
  const position = standing(considered.position);
  const id = stated(sidecar?.id, 'sidecar').at(0);
  const externalId = stated(sidecar?.externalId, 'sidecar').at(0);
  return {
    ...(id && { id }),
    ...(externalId && { externalId }),
    title,
    ...(description && { description }),
    ...(incidentAt && { incidentAt }),
    ...(guessedAt && { guessedAt }),
    ...(position && {
      latitude: { ...position, value: position.value.latitude },
      longitude: { ...position, value: position.value.longitude },
    }),
  };
}

/**
 * The name that an incident's title and time are read from: its folder's, or the loose clip's. Clips of several folders
 * have none.
 */
function nameOf({ exportPath, folder, unit }: ExportRef): string {
  const name = baseName(exportPath);
  if (folder === undefined) return name;
  return unit === 'window' ? '' : splitName(name).stem;
}

/** Every candidate value for an incident, in order of trust. */
export interface ConsideredIncident {
  readonly title: readonly Candidate<string>[];
  readonly description: readonly Candidate<string>[];
  readonly incidentAt: readonly Candidate<number>[];
  readonly position: readonly Candidate<{ readonly latitude: number; readonly longitude: number }>[];
}

/** Collects the candidates for an incident's title, description, time and position. */
export function considerIncident(
  evidence: ExportEvidence,
  clips: readonly DescribedClip[],
): ConsideredIncident {
  const { sidecar, overrides } = evidence;
  const folder = readFolderName(nameOf(evidence.exportRef));
  const incidentAt = times(evidence, folder, clips);
  const standingTime = standing(incidentAt);
  return {
    title: [
      ...titled(overrides?.title, 'command-line'),
      ...titled(sidecar?.title, 'sidecar'),
      ...titled(folder.title, 'folder-name'),
      generatedTitle(evidence, clips),
    ],
    description: [
      ...stated(overrides?.description, 'command-line'),
      ...stated(sidecar?.description, 'sidecar'),
      ...ofNotes(evidence),
      ...unknownTimeText(isKnown(standingTime) ? undefined : lastWritten(evidence)),
    ],
    incidentAt,
    position: positions(evidence, standingTime, clips),
  };
}

/** Longest text that is sent, characters. */
const MAX_NOTES_LENGTH = 10_000;

function ofNotes({ notes, recognised }: ExportEvidence): readonly Sourced<string>[] {
  const from = `from ${visibleName(recognised.notes?.path ?? 'a text file')}`;
  return stated(notes && cutText(notes, MAX_NOTES_LENGTH), 'sidecar').map((each) => ({
    ...each,
    note: from,
  }));
}

function generatedTitle(evidence: ExportEvidence, clips: readonly DescribedClip[]): Sourced<string> {
  const startMs = earliest(evidence, clips)?.value;
  // Lists need no seconds
  const when =
    startMs === undefined
      ? visibleName(baseName(evidence.exportRef.exportPath).trim())
      : formatLocal(startMs, zoneOf(evidence)).slice(0, 16);
  return { value: `Incident ${when}`.trim(), source: 'generated', confidence: 'low' };
}

function titled(text: string | undefined, source: Sourced<string>['source']): readonly Sourced<string>[] {
  const value = cutText(visibleName(text?.trim() ?? ''), MAX_TITLE_LENGTH);
  return value === '' ? [] : [{ value, source, confidence: source === 'folder-name' ? 'medium' : 'high' }];
}

function stated<T>(value: T | undefined, source: Sourced<T>['source']): readonly Sourced<T>[] {
  return value === undefined ? [] : [{ value, source, confidence: 'high' }];
}

const isKnown = (time: Sourced<number> | undefined): boolean =>
  time !== undefined && time.source !== 'file-time';

/** service.md gap 31: a person, sidecar, folder name inside the clips' range, earliest clip, file time if wanted. */
function times(
  evidence: ExportEvidence,
  folder: FolderNameReading,
  clips: readonly DescribedClip[],
): readonly Candidate<number>[] {
  const { sidecar, overrides } = evidence;
  const sendsFileTimes = evidence.watch.sendsFileTimes === true;
  const first = earliest(evidence, clips);
  const written = lastWritten(evidence);
  return [
    ...stated(overrides?.incidentAtMs, 'command-line'),
    ...(sidecar?.incidentAt === undefined ? [] : [ofSidecar(sidecar.incidentAt)]),
    ...folderNameTime(folder, evidence, clips),
    ...(first === undefined
      ? []
      : [{ ...first, source: 'clips' as const, note: first.note ?? 'start of the earliest clip' }]),
    ...(written === undefined ? [] : [sendsFileTimes ? written : { ...written, refused: onlyPerson }]),
  ];
}

const onlyPerson = 'only a person can confirm it';

function ofSidecar({ ms, note }: SidecarTime): Sourced<number> {
  const isClear = note === undefined;
  return { value: ms, source: 'sidecar', confidence: isClear ? 'high' : 'low', ...(note && { note }) };
}

/** Last write time of the oldest clip file. Copying or exporting sets it, so it may be far off. */
function lastWritten({ recognised, settledAtMs }: ExportEvidence): Sourced<number> | undefined {
  const times = recognised.clips.map(fileTimeMs).filter((timeMs) => isPlausible(timeMs, settledAtMs, 0));
  if (times.length === 0) return undefined;
  const note = `last write time of the oldest file; ${WRITTEN_NOTE}`;
  const value = times.reduce((first, timeMs) => Math.min(first, timeMs));
  return { value, source: 'file-time', confidence: 'low', note };
}

function unknownTimeText(guessedAt: Sourced<number> | undefined): readonly Sourced<string>[] {
  if (guessedAt === undefined) return [];
  const written = formatLocal(guessedAt.value, 'UTC').slice(0, 16);
  const value = `Recording time not known; file last written ${written} UTC.`;
  return [{ value, source: 'generated', confidence: 'low' }];
}

function folderNameTime(
  folder: FolderNameReading,
  evidence: ExportEvidence,
  clips: readonly DescribedClip[],
): readonly Candidate<number>[] {
  const time = folder.time && resolveWallTime(folder.time.wall, zoneOf(evidence));
  if (time === undefined) return [];
  const isClear = !time.ambiguous && !time.nonexistent;
  const read = { value: time.ms, source: 'folder-name', confidence: isClear ? 'medium' : 'low' } as const;
  if (folder.time?.precision === 'day') return [{ ...read, refused: 'it is a date without a time' }];
  if (isInside(time.ms, folder, clips)) return [read];
  const isTimed = timed(clips).length > 0;
  return [{ ...read, refused: isTimed ? 'no clip is known to cover it' : 'no clip has a known time' }];
}

function isInside(ms: number, folder: FolderNameReading, clips: readonly DescribedClip[]): boolean {
  const known = timed(clips);
  const slackMs = folder.time?.precision === 'minute' ? MINUTE_MS : 0;
  return (
    known.some(({ startedAt }) => startedAt.value - 1 < ms + slackMs) &&
    known.some(({ startedAt, endedAt }) => (endedAt ?? startedAt).value >= ms)
  );
}

type TimedClip = DescribedClip & { readonly startedAt: Sourced<number> };

function timed(clips: readonly DescribedClip[]): readonly TimedClip[] {
  return clips.filter((clip): clip is TimedClip => isKnown(clip.startedAt));
}

/** The earliest start by a clock that is not doubted; if all are doubted, the earliest of all. */
function earliest(
  { settledAtMs }: Pick<ExportEvidence, 'settledAtMs'>,
  clips: readonly DescribedClip[],
): Sourced<number> | undefined {
  const known = timed(clips);
  const trusted = known.filter(
    ({ startedAt, flags }) => !isClockDoubted(flags) && isPlausible(startedAt.value, settledAtMs),
  );
  return (trusted.length > 0 ? trusted : known)
    .map((clip) => clip.startedAt)
    .toSorted((left, right) => left.value - right.value)
    .at(0);
}

/**
 * The sidecar's position, then that of the camera whose clip starts nearest to the incident, then the watched folder's.
 */
function positions(
  evidence: ExportEvidence,
  incidentAt: Sourced<number> | undefined,
  clips: readonly DescribedClip[],
): ConsideredIncident['position'] {
  const { latitude, longitude } = evidence.sidecar ?? {};
  const isStated = latitude !== undefined && longitude !== undefined;
  const distance = (clip: DescribedClip): number =>
    Math.abs((clip.startedAt?.value ?? Number.MAX_SAFE_INTEGER) - (incidentAt?.value ?? 0));
  const [nearest] = clips
    .filter((clip) => clip.cameraLatitude !== undefined && clip.cameraLongitude !== undefined)
    .toSorted((left, right) => distance(left) - distance(right));
  const ofCamera =
    nearest?.cameraLatitude === undefined || nearest.cameraLongitude === undefined
      ? []
      : [
          {
            value: { latitude: nearest.cameraLatitude.value, longitude: nearest.cameraLongitude.value },
            source: 'clips',
            confidence: 'medium',
            note: `position of the camera that recorded ${visibleName(nearest.path)}`,
          } as const,
        ];
  const ofFolder = stated(evidence.watch.position, 'settings').map((each) => ({
    ...each,
    confidence: 'medium' as const,
    note: 'position set for the watched folder',
  }));
  return [...stated(isStated ? { latitude, longitude } : undefined, 'sidecar'), ...ofCamera, ...ofFolder];
}

function zoneOf(evidence: ExportEvidence): string {
  return evidence.sidecar?.timeZone ?? evidence.watch.timeZone;
}
