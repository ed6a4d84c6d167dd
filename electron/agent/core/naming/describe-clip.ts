import type { ClipFlag } from '../../../../shared/domain/clip-flags.ts';
import type { Confidence, Sourced, ValueSource } from '../../../../shared/domain/sourced.ts';
import { isCameraName, isFreeCameraName } from './camera-words.ts';
import { clipTimes } from '../times/clip-times.ts';
import type { DescribedClip, ExportEvidence, MediaFacts } from './described-export.ts';
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
}

/** Longest camera name that is sent, characters. */
const MAX_CAMERA_NAME_LENGTH = 200;
/** Longest camera id that is made from a name, characters. */
const MAX_SLUG_LENGTH = 64;

/** All that is known about one clip, each value from the best source that has it. */
export function describeClip(clip: ClipEvidence, evidence: ExportEvidence): DescribedClip {
  const { file, sidecar, name } = clip;
  const media = evidence.probes?.get(file.path);
  const { flags, ...times } = clipTimes({
    file,
    ...(sidecar && { sidecar }),
    ...(name && { name }),
    ...(media && { media }),
    timeZone: evidence.sidecar?.timeZone ?? evidence.watch.timeZone,
    clockOffsetSeconds: evidence.sidecar?.clockOffsetSeconds ?? evidence.watch.clockOffsetSeconds,
    exportedAtMs: evidence.exportRef.birthMs,
    settledAtMs: evidence.settledAtMs,
  });
  const cameraName = cameraNameOf(clip, media?.sourceName, evidence.exportRef);
  const cameraId = cameraIdOf(clip, cameraName);
  const thumbnailPath = thumbnailOf(clip, evidence);
  const stated = sidecar?.sha256 ?? evidence.lists?.stated.get(file.path);
  return {
    path: file.path,
    ...(cameraId && { cameraId }),
    ...(cameraName && { cameraName }),
    ...sidecarValue('cameraDescription', sidecar?.cameraDescription),
    ...positionOf(sidecar, media),
    ...times,
    ...(thumbnailPath && { thumbnailPath }),
    ...(stated !== undefined && { expectedSha256: stated }),
    flags: [
      ...fileFlags(file),
      ...flags,
      ...(evidence.lists?.unlisted.has(file.path) === true ? (['not-listed'] as const) : []),
    ],
  };
}

/** A position is taken whole from one source. */
function positionOf(
  sidecar: SidecarVideo | undefined,
  media: MediaFacts | undefined,
): Pick<DescribedClip, 'cameraLatitude' | 'cameraLongitude'> {
  if (sidecar?.cameraLatitude !== undefined || sidecar?.cameraLongitude !== undefined)
    return {
      ...sidecarValue('cameraLatitude', sidecar.cameraLatitude),
      ...sidecarValue('cameraLongitude', sidecar.cameraLongitude),
    };
  if (media?.latitude === undefined || media.longitude === undefined) return {};
  const stated = { source: 'media', confidence: 'medium', note: 'position in the file' } as const;
  return {
    cameraLatitude: { value: media.latitude, ...stated },
    cameraLongitude: { value: media.longitude, ...stated },
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
 * The path of a clip with the folders that may be a camera's. Where each folder of clips is an incident of its own, that
 * is the incident's folder too, unless it lies in the root itself as the folder of any export does.
 */
export function cameraPath({ unit, exportPath }: ExportRef, path: string): string {
  return unit === 'leaf' && exportPath.includes('/') ? `${baseName(exportPath)}/${path}` : path;
}

function cameraNameOf(
  clip: ClipEvidence,
  sourceName: string | undefined,
  ref: ExportRef,
): Sourced<string> | undefined {
  const { sidecar, name, file } = clip;
  if (isCameraName(sidecar?.cameraName)) return named(sidecar?.cameraName, 'sidecar', 'high');
  if (isCameraName(sourceName)) return named(sourceName, 'media', 'high');
  if (isCameraName(name?.cameraName)) {
    return named(name.cameraName, 'file-name', name.trust === 'generic' ? 'low' : 'medium');
  }
  const folder = name?.isNoCamera === true ? '' : baseName(folderOf(cameraPath(ref, file.path)).slice(0, -1));
  if (isFreeCameraName(folder)) return named(folder, 'folder-name', 'medium');
  return name?.channel === undefined ? undefined : named(`Channel ${name.channel}`, 'file-name', 'medium');
}

function named(
  text: string | undefined,
  source: ValueSource,
  confidence: Confidence,
): Sourced<string> | undefined {
  return text === undefined
    ? undefined
    : { value: cutText(text.trim(), MAX_CAMERA_NAME_LENGTH), source, confidence };
}

function cameraIdOf(
  clip: ClipEvidence,
  cameraName: Sourced<string> | undefined,
): Sourced<string> | undefined {
  if (clip.sidecar?.cameraId !== undefined)
    return { value: clip.sidecar.cameraId, source: 'sidecar', confidence: 'high' };
  const { device, channel } = clip.name ?? {};
  if (device !== undefined || channel !== undefined) {
    const value = [device, channel].filter((part) => part !== undefined).join('-');
    const note = device === undefined ? 'channel of the recorder' : 'device, as its vendor writes it';
    return { value, source: 'file-name', confidence: 'medium', note };
  }
  const value = cameraName && slugOf(cameraName.value);
  if (cameraName === undefined || value === undefined || value === '') return undefined;
  return { value, source: cameraName.source, confidence: 'low', note: 'made from the camera name' };
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

/** At most `maxLength` characters, without cutting one in half; an ellipsis where something was cut off. */
export function cutText(text: string, maxLength: number): string {
  const characters = [...text];
  return characters.length <= maxLength ? text : `${characters.slice(0, maxLength - 1).join('')}…`;
}

function sidecarValue<Key extends string, Value>(
  key: Key,
  value: Value | undefined,
): { [K in Key]?: Sourced<Value> } {
  const none: { [K in Key]?: Sourced<Value> } = {};
  return value === undefined ? none : { ...none, [key]: { value, source: 'sidecar', confidence: 'high' } };
}
