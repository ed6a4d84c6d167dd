import type { FileSeen } from '../settle/file-seen.ts';
import { baseName, fileKindOf, folderOf, isHiddenName, splitName, type Container } from './file-kinds.ts';
import { hasHiddenCharacters, visibleName } from '../../../../shared/lib/visible-name.ts';
import type { FailureCode } from '../../../../shared/domain/failure.ts';

/** A video file of an export. */
export interface ClipFile extends FileSeen {
  readonly container: Container;
  /** A vendor's own format: sent as it is, but only the vendor's player shows it. */
  readonly needsVendorPlayer: boolean;
}

/** A file that is listed but neither sent nor opened, and why. */
export interface SkippedFile {
  readonly path: string;
  readonly code: 'FILE_SKIPPED' | 'FILE_LINK' | 'FILE_NOT_REGULAR' | 'FILE_NAME_UNREADABLE';
  readonly message: string;
}

/** What the files of one export folder are. Every list is in order of path. */
export interface RecognisedExport {
  readonly clips: readonly ClipFile[];
  /** Image with the clip's own stem, by path of the clip. */
  readonly thumbnailsByClip: ReadonlyMap<string, FileSeen>;
  readonly imagesWithoutClip: readonly FileSeen[];
  /** `incident.json` at the top of the export. */
  readonly sidecar?: FileSeen;
  /** `<clip>.json`, by path of the clip. */
  readonly clipSidecars: ReadonlyMap<string, FileSeen>;
  /** Texts and tables that nothing reads yet. */
  readonly documents: readonly FileSeen[];
  /** Files that another program is still making: while there are some, the export has not settled. */
  readonly temporary: readonly FileSeen[];
  readonly skipped: readonly SkippedFile[];
  readonly warnings: readonly ExportWarning[];
}

/** Name of the sidecar that describes a whole export. */
export const SIDECAR_NAME = 'incident.json';

/** Which image wins when a clip has several. */
const IMAGE_ORDER = ['jpg', 'jpeg', 'png', 'webp', 'bmp'];

/** Sorts the files of one export folder by what they are for. Nothing is opened; links are never followed. */
export function recogniseExport(files: readonly FileSeen[]): RecognisedExport {
  const sorted = files.filter((file) => file.kind !== 'directory').toSorted(byPath);
  const skipped = sorted.flatMap((file) => skipReason(file) ?? []);
  const refused = new Set(skipped.map((file) => file.path));
  const usable = sorted.filter((file) => !refused.has(file.path) && !isHidden(file.path));
  const ofKind = (kind: string): FileSeen[] =>
    usable.filter((file) => fileKindOf(baseName(file.path)).kind === kind);
  const clips = withoutIndexedStores(usable.flatMap((file) => toClip(file) ?? []));
  const images = ofKind('image');
  const thumbnailsByClip = matchByStem(clips, images, IMAGE_ORDER);
  const used = new Set([...thumbnailsByClip.values()].map((file) => file.path));
  const documents = ofKind('document');
  const sidecar = documents.find((file) => file.path === SIDECAR_NAME);
  const jsons = documents.filter((file) => file !== sidecar && splitName(file.path).extension === 'json');
  const clipSidecars = matchByStem(clips, jsons, ['json']);
  const read = new Set([sidecar, ...clipSidecars.values()]);
  return {
    clips,
    thumbnailsByClip,
    imagesWithoutClip: images.filter((file) => !used.has(file.path)),
    ...(sidecar !== undefined && { sidecar }),
    clipSidecars,
    documents: documents.filter((file) => !read.has(file)),
    temporary: ofKind('temporary'),
    skipped,
    warnings: clips.flatMap(fileWarnings),
  };
}

function byPath(left: FileSeen, right: FileSeen): number {
  if (left.path === right.path) return 0;
  return left.path < right.path ? -1 : 1;
}

/** Files inside folders such as `.cache` belong to some program, not to the export. */
function isHidden(path: string): boolean {
  return folderOf(path).split('/').some(isHiddenName);
}

/** Whether the file is taken as a clip: by its name, its kind and its place. */
export function isClipFile(file: FileSeen): boolean {
  return toClip(file) !== undefined && skipReason(file) === undefined && !isHidden(file.path);
}

function toClip(file: FileSeen): ClipFile | undefined {
  const kind = fileKindOf(baseName(file.path));
  if (kind.kind !== 'clip') return undefined;
  return { ...file, container: kind.container, needsVendorPlayer: kind.container === 'native' };
}

/** `.ps` beside a `.psi` index is a recorder's store, not an MPEG program stream. */
function withoutIndexedStores(clips: readonly ClipFile[]): readonly ClipFile[] {
  const indexes = new Set(
    clips.filter((clip) => /\.psi$/i.test(clip.path)).map((clip) => clip.path.slice(0, -4)),
  );
  return clips.map((clip) =>
    /\.ps$/i.test(clip.path) && indexes.has(clip.path.slice(0, -3))
      ? { ...clip, container: 'native', needsVendorPlayer: true }
      : clip,
  );
}

/** For each clip the file `a.ext` or `a.mp4.ext` beside `a.mp4`; the longer name and the earlier extension win. */
function matchByStem(
  clips: readonly ClipFile[],
  companions: readonly FileSeen[],
  extensions: readonly string[],
): ReadonlyMap<string, FileSeen> {
  const byStem = new Map<string, FileSeen>();
  const rank = (file: FileSeen): number => extensions.indexOf(splitName(baseName(file.path)).extension);
  for (const file of companions.toSorted((left, right) => rank(left) - rank(right))) {
    const stem = stemPath(file.path);
    if (!byStem.has(stem)) byStem.set(stem, file);
  }
  const matches = clips.flatMap((clip): [string, FileSeen][] => {
    const match = byStem.get(clip.path) ?? byStem.get(stemPath(clip.path));
    return match === undefined ? [] : [[clip.path, match]];
  });
  return new Map(matches);
}

function stemPath(path: string): string {
  return folderOf(path) + splitName(baseName(path)).stem;
}

function skipReason(file: FileSeen): SkippedFile | undefined {
  const { path } = file;
  const shown = visibleName(path);
  if (path.includes('\ufffd') || !path.isWellFormed()) {
    const message = `The name "${shown}" is not valid text (hex ${hexOf(baseName(path))}). The file was not taken. Rename it.`;
    return { path, code: 'FILE_NAME_UNREADABLE', message };
  }
  if (file.kind === 'link') {
    return {
      path,
      code: 'FILE_LINK',
      message: `"${shown}" is a link. Links are not uploaded; put the file itself here.`,
    };
  }
  if (file.kind === 'other') {
    const message = `"${shown}" is not a regular file (a pipe, socket or device). It was not opened.`;
    return { path, code: 'FILE_NOT_REGULAR', message };
  }
  if (isHidden(path)) return undefined;
  const kind = fileKindOf(baseName(path)).kind;
  const isPlayer = /(?:^|\/)Client Files\//i.test(path);
  if (isPlayer || kind === 'program') {
    const message = `"${shown}" is a program or part of one. Programs and scripts are not uploaded.`;
    return { path, code: 'FILE_SKIPPED', message };
  }
  if (kind !== 'unknown') return undefined;
  return {
    path,
    code: 'FILE_SKIPPED',
    message: `"${shown}" is no known kind of video or image. It was not uploaded.`,
  };
}

function hexOf(name: string): string {
  return [...new TextEncoder().encode(name)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function fileWarnings(file: ClipFile): readonly ExportWarning[] {
  const shown = visibleName(file.path);
  const warnings: ExportWarning[] = [];
  if (file.links > 1) {
    const message = `"${shown}" has ${file.links} names on this disk (hard links). It is uploaded; a change through another name is noticed as a changed file.`;
    warnings.push({ code: 'FILE_HARDLINK', message, file: file.path });
  }
  if (hasHiddenCharacters(file.path)) {
    const message = `The name "${shown}" contains hidden control or direction marks.`;
    warnings.push({ code: 'FILE_NAME_HIDDEN', message, file: file.path });
  }
  return warnings;
}

/** What can be odd about an export without stopping it. */
export type ExportWarningCode =
  | FailureCode
  | 'FILE_NAME_HIDDEN'
  | 'FILE_TIME_UNLIKELY'
  | 'TIME_DOUBLED'
  | 'TIME_MISSING_HOUR'
  | 'TIME_ORDER'
  | 'DURATION_DIFFERS'
  | 'SIDECAR_CLIP_MISSING'
  | 'SIDECAR_THUMBNAIL_MISSING'
  | 'PROFILE_UNKNOWN'
  | 'SYSTEM_UNCLEAR'
  | 'SYSTEMS_MIXED'
  | 'CLOCKS_DIFFER'
  | 'ZONE_UNLIKELY'
  | 'NEEDS_VENDOR_PLAYER';

/** One oddity of an export, in words for people; `file` is the path inside the export. */
export interface ExportWarning {
  readonly code: ExportWarningCode;
  readonly message: string;
  readonly file?: string;
}
