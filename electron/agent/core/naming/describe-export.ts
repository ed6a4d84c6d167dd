import { clipWarnings, compareClips, withFlags } from './compare-clips.ts';
import { cameraPath, describeClip, imagePaths, type ClipEvidence } from './describe-clip.ts';
import { describeIncident } from '../records/describe-incident.ts';
import type { DescribedExport, ExportEvidence } from './described-export.ts';
import type { ExportWarning } from './recognise-export.ts';
import { folderOfExport, type ExportRef } from '../settle/file-seen.ts';
import { folderOf } from './file-kinds.ts';
import {
  isProfileName,
  laterReading,
  readClipName,
  type ClipNameReading,
  type ClipNameRules,
  type NameTime,
} from './read-clip-name.ts';
import { CLOCK_NOTE, type KnownCamera } from './camera-registry.ts';
import type { SidecarVideo } from './sidecar.ts';
import { formatUtc } from '../times/zoned-time.ts';
import { visibleName } from '../../../../shared/lib/visible-name.ts';

/** Describes an export folder: which incident it is, what each clip shows, and where each value came from. */
export function describeExport(evidence: ExportEvidence): DescribedExport {
  const all = clipEvidence(evidence);
  const alone = all.map((clip) => describeClip(clip, evidence));
  const { flags, warnings } = compareClips(alone, evidence.settledAtMs);
  const clips = alone.map((clip) => withFlags(clip, flags.get(clip.path) ?? []));
  return {
    incident: describeIncident(evidence, clips),
    clips,
    warnings: [
      ...evidence.recognised.warnings,
      ...profileWarnings(evidence),
      ...systemWarnings(all),
      ...sidecarWarnings(evidence),
      ...warnings,
      ...clips.flatMap(clipWarnings),
    ],
  };
}

/** Each clip with its sidecar entry, name reading and camera. */
export function clipEvidence(evidence: ExportEvidence): readonly ClipEvidence[] {
  const sidecars = sidecarsByClip(evidence);
  const cameras = new Map<string, KnownCamera>();
  const names = readNames(evidence, cameras);
  return evidence.recognised.clips.map((file) => {
    const sidecar = sidecars.get(file.path);
    const name = names.get(file.path);
    const camera = cameras.get(file.path);
    return { file, ...(sidecar && { sidecar }), ...(name && { name }), ...(camera && { camera }) };
  });
}

/** `<clip>.json` wins over the clip's entry in `incident.json`, field by field. */
function sidecarsByClip(evidence: ExportEvidence): ReadonlyMap<string, SidecarVideo> {
  const merged = new Map<string, SidecarVideo>();
  for (const video of evidence.sidecar?.videos ?? []) {
    if (video.file !== undefined) merged.set(video.file, video);
  }
  for (const [path, video] of evidence.clipSidecars ?? []) {
    const thumbnail = video.thumbnail === undefined ? {} : { thumbnail: folderOf(path) + video.thumbnail };
    merged.set(path, { ...merged.get(path), ...video, ...thumbnail, file: path });
  }
  return merged;
}

/**
 * Reads all file names, then resolves doubled hours camera by camera in order of name. Adds known cameras to `cameras`.
 */
function readNames(
  evidence: ExportEvidence,
  cameras: Map<string, KnownCamera>,
): ReadonlyMap<string, ClipNameReading> {
  const rules: ClipNameRules = {
    ...evidence.watch,
    // An unknown profile would read nothing, so all of them are tried instead
    profile: isProfileName(evidence.watch.profile, evidence.watch.patterns) ? evidence.watch.profile : 'auto',
    timeZone: evidence.sidecar?.timeZone ?? evidence.watch.timeZone,
    clockOffsetSeconds: evidence.sidecar?.clockOffsetSeconds ?? evidence.watch.clockOffsetSeconds,
  };
  const readings = new Map<string, ClipNameReading>();
  for (const { path } of evidence.recognised.clips) {
    const reading = readClipName(...namedPlace(evidence.exportRef, path, rules));
    if (reading !== undefined) readings.set(path, reading);
  }
  for (const [path, reading] of readings) {
    const profile = reading.tied && onlyOneOf(reading.tied, readings);
    const settled = profile && readClipName(...namedPlace(evidence.exportRef, path, { ...rules, profile }));
    if (settled) readings.set(path, settled);
  }
  for (const { path } of evidence.recognised.clips) {
    const [name, media] = [readings.get(path), evidence.probes?.get(path)];
    const camera = rules.findCamera?.({ path, ...(name && { name }), ...(media && { media }) });
    if (camera === undefined) continue;
    cameras.set(path, camera);
    const read =
      evidence.sidecar?.clockOffsetSeconds === undefined && name && correctedBy(name, camera, rules);
    if (read) readings.set(path, read);
  }
  const byCamera = Map.groupBy(readings, ([path, reading]) =>
    JSON.stringify([folderOf(path), reading.cameraName, reading.recorder, reading.channel, reading.device]),
  );
  return new Map([...byCamera.values()].flatMap(settleCamera));
}

/**
 * A reading with its times corrected by the clock of its camera instead of the folder's; undefined if that has none.
 */
function correctedBy(
  name: ClipNameReading,
  { clockOffsetSeconds: offset, measuredBy }: KnownCamera,
  rules: ClipNameRules,
): ClipNameReading | undefined {
  if (offset === undefined) return undefined;
  const shiftMs = (offset - rules.clockOffsetSeconds) * 1000;
  const corrected = (time: NameTime): NameTime => {
    const measured = measuredBy === undefined ? '' : `, measured by ${measuredBy}`;
    const correction = `${CLOCK_NOTE} ${formatUtc(time.recordedMs)}, corrected by ${offset} s${measured}`;
    return {
      ...time,
      value: time.value + shiftMs,
      ...(time.laterMs !== undefined && { laterMs: time.laterMs + shiftMs }),
      note: time.note === undefined ? correction : `${time.note}; ${correction}`,
    };
  };
  const { startedAt, endedAt } = name;
  return {
    ...name,
    ...(startedAt && { startedAt: corrected(startedAt) }),
    ...(endedAt && { endedAt: corrected(endedAt) }),
  };
}

/** The part of a clip's path whose folders may name a camera, and the folders above, which may carry a date. */
function namedPlace(
  ref: ExportRef,
  path: string,
  rules: ClipNameRules,
): readonly [string, ClipNameRules, string] {
  const own = cameraPath(ref, path);
  const above = folderOfExport(ref);
  return [own, rules, own === path ? above : folderOf(above)];
}

/** The one of several systems that also wrote other clips of the export, if only one of them did. */
function onlyOneOf(
  tied: NonNullable<ClipNameReading['tied']>,
  readings: ReadonlyMap<string, ClipNameReading>,
): string | undefined {
  const others = new Set([...readings.values()].map(({ profile }) => profile));
  const known = tied.filter(({ name }) => others.has(name));
  return known.length === 1 ? known[0]?.name : undefined;
}

function settleCamera(
  clips: readonly (readonly [string, ClipNameReading])[],
): readonly (readonly [string, ClipNameReading])[] {
  const ordered = clips.toSorted(([left], [right]) => compareNames(left, right));
  const timed = ordered.filter(([, reading]) => reading.startedAt !== undefined);
  const starts = resolveDoubledHours(
    timed.flatMap(([, { startedAt }]) =>
      startedAt === undefined
        ? []
        : [{ ms: startedAt.value, ...(startedAt.laterMs !== undefined && { laterMs: startedAt.laterMs }) }],
    ),
  );
  const startByPath = new Map(timed.map(([path], index) => [path, starts[index]]));
  return ordered.map(([path, reading]) => [path, atStart(reading, startByPath.get(path))] as const);
}

/** A reading moved to the later of its possible starts, along with its end if that would come first otherwise. */
function atStart(reading: ClipNameReading, startMs: number | undefined): ClipNameReading {
  const { startedAt, endedAt } = reading;
  if (startedAt === undefined || startMs === undefined || startedAt.value === startMs) return reading;
  const moved = laterReading(startedAt);
  const end = endedAt !== undefined && endedAt.value < moved.value ? laterReading(endedAt) : endedAt;
  return { ...reading, startedAt: { ...moved, laterMs: moved.value }, ...(end && { endedAt: end }) };
}

function profileWarnings({ watch }: ExportEvidence): readonly ExportWarning[] {
  if (isProfileName(watch.profile, watch.patterns)) return [];
  const message = `There is no naming pattern called "${visibleName(watch.profile)}". All patterns were tried instead.`;
  return [{ code: 'PROFILE_UNKNOWN', message }];
}

/** Warns if a name fits several systems, and if the export comes from several. */
function systemWarnings(clips: readonly ClipEvidence[]): readonly ExportWarning[] {
  const names = clips.flatMap(({ name }) => name ?? []);
  const tied = clips.flatMap(({ file: { path }, name }): ExportWarning[] => {
    if (name?.tied === undefined) return [];
    const among = new Intl.ListFormat('en-GB').format(name.tied.map(({ system }) => system));
    const message = `Nothing was read from the name "${visibleName(path)}": it matches the naming patterns of ${among}. Choose one in the watched folder's settings (profile), or write the camera and times in a .json file next to the clip.`;
    return [{ code: 'SYSTEM_UNCLEAR', message, file: path }];
  });
  const counts = Map.groupBy(
    names.filter(({ trust }) => trust === 'vendor'),
    ({ system }) => system,
  );
  if (counts.size < 2) return tied;
  const list = [...counts].map(([system, readings]) => `${system} (${readings.length})`).join(', ');
  const message = `The clips come from several systems: ${list}. Each clip is read by the rules of its own system.`;
  return [...tied, { code: 'SYSTEMS_MIXED', message }];
}

function sidecarWarnings(evidence: ExportEvidence): readonly ExportWarning[] {
  const paths = new Set(evidence.recognised.clips.map((clip) => clip.path));
  const images = imagePaths(evidence);
  const warnings: ExportWarning[] = [];
  for (const { file = '', thumbnail } of sidecarsByClip(evidence).values()) {
    if (file !== '' && !paths.has(file)) {
      const message = `The sidecar describes "${visibleName(file)}", which is not a clip in the folder.`;
      warnings.push({ code: 'SIDECAR_CLIP_MISSING', message, file });
    }
    if (thumbnail !== undefined && !images.has(thumbnail)) {
      const message = `The sidecar names the thumbnail "${visibleName(thumbnail)}", which is not an image in the folder.`;
      warnings.push({ code: 'SIDECAR_THUMBNAIL_MISSING', message, file: thumbnail });
    }
  }
  return warnings;
}

/** The start of a clip; `laterMs` is set if the clock showed it twice. */
interface PossibleStart {
  readonly ms: number;
  readonly laterMs?: number;
}

/**
 * Decides which of two instants a doubled hour means, for the clips of one camera in order of name: the earlier one,
 * unless that puts a clip before the previous one and the later one does not (service.md gap 28). Returns milliseconds
 * in the same order.
 */
export function resolveDoubledHours(starts: readonly PossibleStart[]): readonly number[] {
  let previousMs = Number.NEGATIVE_INFINITY;
  return starts.map((start) => {
    const isOutOfOrder = start.ms < previousMs;
    const ms =
      isOutOfOrder && start.laterMs !== undefined && start.laterMs >= previousMs ? start.laterMs : start.ms;
    previousMs = ms;
    return ms;
  });
}

/** Compares names in natural order: `clip 9` before `clip 10`. The order is total and the same on every machine. */
export function compareNames(left: string, right: string): number {
  const leftParts = left.split(/(\d+)/);
  const rightParts = right.split(/(\d+)/);
  for (const [index, part] of leftParts.entries()) {
    const other = rightParts[index];
    if (other === undefined) return 1;
    const order = index % 2 === 1 ? compareNumbers(part, other) : compareText(part, other);
    if (order !== 0) return order;
  }
  return leftParts.length - rightParts.length || compareText(left, right);
}

function compareNumbers(left: string, right: string): number {
  const a = left.replace(/^0+/, '');
  const b = right.replace(/^0+/, '');
  return a.length - b.length || compareText(a, b);
}

function compareText(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
