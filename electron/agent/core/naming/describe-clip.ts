import type { ClipFlag } from '../../../../shared/domain/upload-view.ts';
import {
  standing,
  type Candidate,
  type Confidence,
  type Sourced,
  type ValueSource,
} from '../../../../shared/domain/file-account.ts';
import { knownFields } from '../../../../shared/lib/known-fields.ts';
import type { KnownCamera } from './camera-registry.ts';
import { isCameraName, isFreeCameraName } from './camera-registry.ts';
import { clipTimes, type ClipTimeEvidence } from '../times/clip-times.ts';
import type { DescribedClip, ExportEvidence } from './described-export.ts';
import type { MediaFacts } from './file-content.ts';
import { baseName, folderOf } from './file-kinds.ts';
import type { ExportRef } from '../settle/file-seen.ts';
import type { ClipFile } from './recognise-export.ts';
import type { ClipNameReading } from './read-clip-name.ts';
import type { SidecarVideo } from './sidecar.ts';
import { hasHiddenCharacters } from '../../../../shared/lib/visible-name.ts';

/** One clip with the sidecar entry and the name reading that belong to it. */
export interface ClipEvidence {
  readonly file: ClipFile;
  readonly sidecar?: SidecarVideo;
  readonly name?: ClipNameReading;
  /** The camera, if known to the desk. */
  readonly camera?: KnownCamera;
}

/** Note on a time that depends on the clock as the sidecar describes it. */
export const SIDECAR_CLOCK_NOTE = 'read with the time zone or clock offset in the sidecar';
/** Note on an ID that no source states. */
export const MADE_OF_NAME = 'made from the camera name';
/** Longest camera name that is sent, characters. */
const MAX_CAMERA_NAME_LENGTH = 200;
/** Longest camera id that is made from a name, characters. */
const MAX_SLUG_LENGTH = 64;

/** Everything known about one clip, each value from the best source that has it. */
export function describeClip(clip: ClipEvidence, evidence: ExportEvidence): DescribedClip {
  const { file, sidecar } = clip;
  const { flags, ...times } = clipTimes(timeEvidence(clip, evidence));
  const { cameraId, cameraName, cameraDescription, position } = considerCamera(clip, evidence);
  const [id, name, description] = [standing(cameraId), standing(cameraName), standing(cameraDescription)];
  const thumbnailPath = thumbnailOf(clip, evidence);
  const stated = sidecar?.sha256 ?? evidence.lists?.stated.get(file.path);
  return {
    path: file.path,
    ...(id && { cameraId: id }),
    ...(name && { cameraName: name }),
    ...(description && { cameraDescription: description }),
    ...positionOf(standing(position)),
    ...withClockOf(evidence.sidecar, times),
    ...(thumbnailPath && { thumbnailPath }),
    ...(stated !== undefined && { expectedSha256: stated }),
    flags: [
      ...fileFlags(file),
      ...flags,
      ...(evidence.lists?.unlisted.has(file.path) === true ? (['not-listed'] as const) : []),
    ],
  };
}

function withClockOf(
  sidecar: ExportEvidence['sidecar'],
  times: Pick<DescribedClip, 'startedAt' | 'endedAt'>,
): typeof times {
  if (sidecar?.timeZone === undefined && sidecar?.clockOffsetSeconds === undefined) return times;
  const noted = (time: Sourced<number>): Sourced<number> =>
    time.source === 'sidecar'
      ? time
      : { ...time, note: [time.note, SIDECAR_CLOCK_NOTE].filter((note) => note !== undefined).join('; ') };
  const { startedAt, endedAt } = times;
  return {
    ...times,
    ...(startedAt && { startedAt: noted(startedAt) }),
    ...(endedAt && { endedAt: noted(endedAt) }),
  };
}

/** The evidence for the times of a clip. */
export function timeEvidence(
  { file, sidecar, name, camera }: ClipEvidence,
  evidence: ExportEvidence,
): ClipTimeEvidence {
  const media = evidence.probes?.get(file.path);
  return {
    file,
    ...(sidecar && { sidecar }),
    ...(name && { name }),
    ...(media && { media }),
    timeZone: evidence.sidecar?.timeZone ?? evidence.watch.timeZone,
    clockOffsetSeconds:
      evidence.sidecar?.clockOffsetSeconds ?? camera?.clockOffsetSeconds ?? evidence.watch.clockOffsetSeconds,
    exportedAtMs: evidence.exportRef.birthMs,
    settledAtMs: evidence.settledAtMs,
    ...(evidence.watch.sendsFileTimes === true && { sendsFileTimes: true }),
  };
}

/** A position, always taken whole from one source; in a sidecar, either number may be missing. */
export interface CameraPosition {
  readonly latitude?: number;
  readonly longitude?: number;
}

/** Every candidate value for the camera of a clip, in order of trust. */
export interface ConsideredCamera {
  readonly cameraId: readonly Candidate<string>[];
  readonly cameraName: readonly Candidate<string>[];
  readonly cameraDescription: readonly Candidate<string>[];
  readonly position: readonly Candidate<CameraPosition>[];
}

/** Collects the candidates for the camera of a clip. */
export function considerCamera(clip: ClipEvidence, evidence: ExportEvidence): ConsideredCamera {
  const media = evidence.probes?.get(clip.file.path);
  const cameraName = cameraNames(clip, media, evidence.exportRef);
  return {
    cameraName,
    cameraId: cameraIds(clip, standing(cameraName)),
    cameraDescription: [
      ...candidate(clip.sidecar?.cameraDescription, 'sidecar', 'high'),
      ...candidate(clip.camera?.description, 'registry', 'high'),
    ],
    position: positions(clip, media),
  };
}

function positions(
  { sidecar, camera }: ClipEvidence,
  media: MediaFacts | undefined,
): readonly Candidate<CameraPosition>[] {
  const { cameraLatitude, cameraLongitude } = sidecar ?? {};
  const { latitude, longitude } = media ?? {};
  const hasOwn = cameraLatitude !== undefined || cameraLongitude !== undefined;
  const own = knownFields<CameraPosition>({ latitude: cameraLatitude, longitude: cameraLongitude });
  const known = knownFields<CameraPosition>({ latitude: camera?.latitude, longitude: camera?.longitude });
  const isKnown = known.latitude !== undefined && known.longitude !== undefined;
  const isStated = latitude !== undefined && longitude !== undefined;
  return [
    ...candidate(hasOwn ? own : undefined, 'sidecar', 'high'),
    ...candidate(isKnown ? known : undefined, 'registry', 'high'),
    ...candidate(isStated ? { latitude, longitude } : undefined, 'media', 'medium', 'position in the file'),
  ];
}

function positionOf(
  position: Sourced<CameraPosition> | undefined,
): Pick<DescribedClip, 'cameraLatitude' | 'cameraLongitude'> {
  if (position === undefined) return {};
  const { value, ...origin } = position;
  const { latitude, longitude } = value;
  return {
    ...(latitude !== undefined && { cameraLatitude: { value: latitude, ...origin } }),
    ...(longitude !== undefined && { cameraLongitude: { value: longitude, ...origin } }),
  };
}

function fileFlags(file: ClipFile): readonly ClipFlag[] {
  return [
    ...(file.needsVendorPlayer ? (['needs-vendor-player'] as const) : []),
    ...(file.links > 1 ? (['hard-link'] as const) : []),
    ...(hasHiddenCharacters(file.path) ? (['hidden-characters'] as const) : []),
  ];
}

/**
 * The path of a clip with the folders that may name its camera. If each folder of clips is an incident of its own, that
 * includes the incident's folder, unless it is directly in the root like the folder of any export.
 */
export function cameraPath({ unit, exportPath }: ExportRef, path: string): string {
  return unit === 'leaf' && exportPath.includes('/') ? `${baseName(exportPath)}/${path}` : path;
}

const SORTS_FILES = 'it is the name of a category or a stream';

function cameraNames(
  { sidecar, name, camera, file }: ClipEvidence,
  media: MediaFacts | undefined,
  ref: ExportRef,
): readonly Candidate<string>[] {
  const folder = baseName(folderOf(cameraPath(ref, file.path)).slice(0, -1));
  const channel = name?.channel === undefined ? undefined : `Channel ${name.channel}`;
  return [
    ...named(sidecar?.cameraName, 'sidecar', 'high'),
    ...candidate(camera?.cameraName, 'registry', 'high'),
    ...named(media?.sourceName, 'media', 'high'),
    ...named(name?.cameraName, 'file-name', name ? nameTrust[name.trust] : 'low'),
    ...named(folder, 'folder-name', 'medium', folderRefusal(folder, name)),
    ...named(channel, 'file-name', 'medium'),
  ];
}

const nameTrust: Readonly<Record<ClipNameReading['trust'], Confidence>> = {
  desk: 'high',
  vendor: 'medium',
  standard: 'medium',
  generic: 'low',
};

function folderRefusal(folder: string, name: ClipNameReading | undefined): string | undefined {
  if (name?.isNoCamera === true) return `${name.system}: not recorded by one of this desk's cameras`;
  return isFreeCameraName(folder) ? undefined : 'it is a date, a counter, a category or a stream';
}

function named(
  text: string | undefined,
  source: ValueSource,
  confidence: Confidence,
  refused = isCameraName(text) ? undefined : SORTS_FILES,
): readonly Candidate<string>[] {
  if (text === undefined || text.trim() === '') return [];
  const value = cutText(text.trim(), MAX_CAMERA_NAME_LENGTH);
  return [{ value, source, confidence, ...(refused !== undefined && { refused }) }];
}

/** One candidate, or none without a value. */
function candidate<T>(
  value: T | undefined,
  source: ValueSource,
  confidence: Confidence,
  note?: string,
): readonly Candidate<T>[] {
  return value === undefined ? [] : [{ value, source, confidence, ...(note !== undefined && { note }) }];
}

function cameraIds(
  { sidecar, name, camera }: ClipEvidence,
  cameraName: Sourced<string> | undefined,
): readonly Candidate<string>[] {
  const { device, channel } = name ?? {};
  const stated = [device, channel].filter((part) => part !== undefined).join('-');
  const note = device === undefined ? 'recorder channel' : 'device ID as the vendor writes it';
  const slug = cameraName && slugOf(cameraName.value);
  const ofName = cameraName?.source ?? 'file-name';
  return [
    ...candidate(sidecar?.cameraId, 'sidecar', 'high'),
    ...candidate(camera?.cameraId, 'registry', 'high'),
    ...candidate(stated === '' ? undefined : stated, 'file-name', 'medium', note),
    ...candidate(slug === '' ? undefined : slug, ofName, 'low', MADE_OF_NAME),
  ];
}

/** Letters of any script and digits in lower case, joined by hyphens. */
function slugOf(name: string): string {
  const words = name
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  return cutText((words ?? []).join('-'), MAX_SLUG_LENGTH);
}

function thumbnailOf(clip: ClipEvidence, evidence: ExportEvidence): Sourced<string> | undefined {
  const wanted = clip.sidecar?.thumbnail;
  if (wanted !== undefined && imagePaths(evidence).has(wanted)) {
    return { value: wanted, source: 'sidecar', confidence: 'high' };
  }
  const match = evidence.recognised.thumbnailsByClip.get(clip.file.path);
  return match && { value: match.path, source: 'file-name', confidence: 'high' };
}

/** Paths of all images of an export. */
export function imagePaths({ recognised }: ExportEvidence): ReadonlySet<string> {
  const images = [...recognised.thumbnailsByClip.values(), ...recognised.imagesWithoutClip];
  return new Set(images.map((image) => image.path));
}

/** At most `maxLength` characters, without cutting one in half; ends in an ellipsis if something was cut off. */
export function cutText(text: string, maxLength: number): string {
  const characters = [...text];
  return characters.length <= maxLength ? text : `${characters.slice(0, maxLength - 1).join('')}…`;
}
