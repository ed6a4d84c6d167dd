import type { AccountedFile, FileClass } from '../../../../shared/domain/file-account.ts';
import type { FileSeen } from '../settle/file-seen.ts';
import {
  baseName,
  fileKindOf,
  folderOf,
  isHiddenName,
  splitName,
  stemPath,
  whyIgnored,
  type Container,
} from './file-kinds.ts';
import { indexedStores, isPlayerPart, isProjectPart, projectWords, halvesOf } from './vendor-projects.ts';
import { hasHiddenCharacters, visibleName } from '../../../../shared/lib/visible-name.ts';
import { containerOf } from './file-content.ts';
import { isHashList } from './hash-list.ts';
import { isIncidentSidecar } from './read-sidecar.ts';
import { sidecarTables, type SidecarTables } from './sidecar-tables.ts';
import type { FailureCode } from '../../../../shared/domain/failure.ts';

/** A video file of an export. */
export interface ClipFile extends FileSeen {
  readonly container: Container;
  /** A vendor's own format: sent as it is, but only the vendor's player can play it. */
  readonly needsVendorPlayer: boolean;
}

/** A file that is listed but neither sent nor opened, and why. */
export interface SkippedFile {
  readonly path: string;
  readonly code: 'FILE_SKIPPED' | 'FILE_LINK' | 'FILE_NOT_REGULAR' | 'FILE_NAME_UNREADABLE';
  readonly message: string;
}

/** The files of one export folder by purpose. Every list is in order of path. */
export interface RecognisedExport extends SidecarTables {
  readonly clips: readonly ClipFile[];
  /** Image with the clip's own stem, by path of the clip. */
  readonly thumbnailsByClip: ReadonlyMap<string, FileSeen>;
  readonly imagesWithoutClip: readonly FileSeen[];
  /** `incident.json` at the top of the export. */
  readonly sidecar?: FileSeen;
  /** `<clip>.json`, by path of the clip. */
  readonly clipSidecars: ReadonlyMap<string, FileSeen>;
  /** Texts and tables that are not read as sidecars. */
  readonly documents: readonly FileSeen[];
  /** Files that another program is still writing: while there are any, the export has not settled. */
  readonly temporary: readonly FileSeen[];
  readonly skipped: readonly SkippedFile[];
  /** Everything except folders, in order of path. */
  readonly accounts: readonly AccountedFile[];
  readonly warnings: readonly ExportWarning[];
}

/** Which image wins if a clip has several. */
const IMAGE_ORDER = ['jpg', 'jpeg', 'png', 'webp', 'bmp'];

/** Sorts the files of one export folder by what they are for. Nothing is opened; links are never followed. */
export function recogniseExport(files: readonly FileSeen[]): RecognisedExport {
  const sorted = files.filter((file) => file.kind !== 'directory').toSorted(byPath);
  const placed = sorted.map(placeOf);
  const of = (kind: Place['kind']): FileSeen[] =>
    placed.flatMap((each) => (each.kind === kind ? each.file : []));
  const companions = of('companion');
  const found = placed.flatMap((each) => (each.kind === 'clip' ? each.clip : []));
  const stores = indexedStores(found, companions);
  const clips = found.map((clip) => (stores.has(clip.path) ? asNative(clip) : clip));
  const images = of('image');
  const thumbnailsByClip = matchByStem(clips, images, IMAGE_ORDER);
  const used = new Set([...thumbnailsByClip.values()].map((file) => file.path));
  // Documents that are sent as evidence are read all the same
  const documents = [...of('document'), ...clips.filter(isDocument)];
  const sidecar = documents.findLast(({ path }) => isIncidentSidecar(path));
  const jsons = documents.filter((file) => file !== sidecar && splitName(file.path).extension === 'json');
  const videos = clips.filter((clip) => !isDocument(clip));
  const clipSidecars = matchByStem(videos, jsons, ['json']);
  const tables = sidecarTables(documents);
  const { incidentTable, videosTable, notes } = tables;
  const read = new Set([sidecar, incidentTable, videosTable, notes, ...clipSidecars.values()]);
  return {
    clips,
    thumbnailsByClip,
    imagesWithoutClip: images.filter((file) => !used.has(file.path)),
    ...(sidecar !== undefined && { sidecar }),
    ...tables,
    clipSidecars,
    documents: of('document').filter((file) => !read.has(file)),
    temporary: of('temporary'),
    skipped: placed.flatMap((each) => (each.kind === 'skipped' ? each.skipped : [])),
    accounts: placed.map((each) => {
      const isList = each.kind === 'companion' && isHashList(each.file.path);
      return accountOf(each, read.has(each.file) || isList);
    }),
    warnings: [
      ...clips.flatMap(fileWarnings),
      ...halvesOf(clips, companions).map(halfMissing),
      ...(companions.some(({ path }) => isProjectPart(path)) ? [projectFound(clips.length > 0)] : []),
    ],
  };
}

/** Where a file belongs. */
type Place =
  | { readonly kind: 'clip'; readonly file: FileSeen; readonly clip: ClipFile }
  | {
      readonly kind: 'skipped';
      readonly file: FileSeen;
      readonly skipped: SkippedFile;
      readonly class: FileClass;
    }
  | {
      readonly kind: 'companion' | 'image' | 'document' | 'temporary' | 'system';
      readonly file: FileSeen;
    };

/** How a file is classified by its name, kind, location and first bytes. */
export function placeOf(file: FileSeen): Place {
  const refused = refusal(file);
  if (refused !== undefined) return { kind: 'skipped', file, skipped: refused, class: 'unknown' };
  if (isHidden(file.path)) return { kind: 'system', file };
  if (file.isEvidence === true) return { kind: 'clip', file, clip: evidenceOf(file) };
  const { kind } = fileKindOf(baseName(file.path));
  if (kind === 'program' || file.content === 'program' || isPlayerPart(file.path))
    return { kind: 'skipped', file, skipped: programSkipped(file.path), class: 'program' };
  if (isProjectPart(file.path)) return { kind: 'companion', file };
  const clip = toClip(file);
  if (clip !== undefined) return { kind: 'clip', file, clip };
  if (kind === 'unknown' && isHashList(file.path)) return { kind: 'companion', file };
  if (kind === 'unknown' || kind === 'clip')
    return { kind: 'skipped', file, skipped: unknownSkipped(file), class: 'unknown' };
  if (kind === 'ignored') return { kind: 'system', file };
  return { kind, file };
}

const reasons: Readonly<Record<Exclude<Place['kind'], 'skipped' | 'system'>, readonly [FileClass, string]>> =
  {
    clip: ['clip', 'a video, judging by its name'],
    companion: ['companion', 'belongs to a clip or a project'],
    image: ['picture', 'an image, judging by its name'],
    document: ['companion', 'a text file, table or document'],
    temporary: ['waiting', 'named like a file that is still being written'],
  };

function accountOf(place: Place, isRead: boolean): AccountedFile {
  const { path } = place.file;
  if (place.kind === 'skipped') return { path, class: place.class, why: place.skipped.message };
  if (place.kind === 'system') return { path, class: 'system', why: whyIgnored(path) };
  if (place.file.isEvidence === true && fileKindOf(baseName(path)).kind !== 'clip')
    return { path, class: 'clip', why: 'sent as evidence; its name does not show that it is a video' };
  if (isRead) return { path, class: 'sidecar', why: 'describes the export or its files' };
  const [fileClass, why] = reasons[place.kind];
  const isByContent = place.kind === 'clip' && containerOf(place.file.content) !== undefined;
  return { path, class: fileClass, why: isByContent ? 'a video, judging by its first bytes' : why };
}

function byPath(left: FileSeen, right: FileSeen): number {
  return Number(left.path > right.path) - Number(left.path < right.path);
}

/** Files inside folders such as `.cache` belong to some program, not to the export. */
const isHidden = (path: string): boolean => folderOf(path).split('/').some(isHiddenName);
const isDocument = ({ path }: FileSeen): boolean => fileKindOf(baseName(path)).kind === 'document';

/** Whether the file counts as a clip, by its name, kind, location and first bytes. */
export function isClipFile(file: FileSeen): boolean {
  return placeOf(file).kind === 'clip';
}

/** vimacc ends its names with a number: only the date folders show that the file is a clip. */
const numberedClip = /(?:^|\/)\d{4}\/\d{2}\/\d{2}\/\d{2}\/[^/]+_\d{2}\.[^./]+\.\d{1,6}$/;

function toClip(file: FileSeen): ClipFile | undefined {
  const kind = fileKindOf(baseName(file.path));
  const isNumbered = numberedClip.test(file.path);
  if (kind.kind !== 'clip' && kind.kind !== 'unknown') return undefined;
  const named = isNumbered ? 'native' : kind.kind === 'clip' ? kind.container : undefined;
  const container = file.content === undefined ? named : containerOf(file.content);
  return container && { ...file, container, needsVendorPlayer: container === 'native' };
}

/** A file marked as evidence is a clip even if neither its name nor its first bytes show it. */
function evidenceOf(file: FileSeen): ClipFile {
  const clip = toClip(file);
  if (clip !== undefined && !isProjectPart(file.path)) return clip;
  const container = file.content === 'native' ? 'native' : 'raw';
  return { ...file, container, needsVendorPlayer: container === 'native' };
}

const asNative = (clip: ClipFile): ClipFile => ({ ...clip, container: 'native', needsVendorPlayer: true });

function halfMissing({ path, isClip }: ReturnType<typeof halvesOf>[number]): ExportWarning {
  const shown = visibleName(path);
  const message = isClip
    ? `The index for "${shown}" is missing. The clip is sent, but may not play without it.`
    : `The clip for the index "${shown}" is missing. Export the incident again.`;
  return { code: 'COMPANION_MISSING', message, file: path };
}

const projectFound = (hasClips: boolean): ExportWarning => ({
  code: 'PROJECT_NOT_SENT',
  message: `${projectWords.message} ${hasClips ? projectWords.besideClips : projectWords.advice}`,
});

/** For each clip, the file `a.ext` or `a.mp4.ext` next to `a.mp4`; the longer name and the earlier extension win. */
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

function refusal(file: FileSeen): SkippedFile | undefined {
  const { path } = file;
  const shown = visibleName(path);
  const unreadable = path.split('/').find((name) => name.includes('\ufffd') || !name.isWellFormed());
  if (unreadable !== undefined) {
    const message = `Not sent: the name "${visibleName(unreadable)}" is not valid text (hex ${hexOf(unreadable)}). Rename the file or folder.`;
    return { path, code: 'FILE_NAME_UNREADABLE', message };
  }
  if (file.kind === 'link') {
    const message = `Links are not sent: "${shown}" is a link. Replace it with the file or folder that it points to.`;
    return { path, code: 'FILE_LINK', message };
  }
  if (file.kind === 'other') {
    const message = `Not a regular file: "${shown}" is a pipe, socket or device. It was not opened.`;
    return { path, code: 'FILE_NOT_REGULAR', message };
  }
  return undefined;
}

function programSkipped(path: string): SkippedFile {
  const message = `Not sent: "${visibleName(path)}" is a program, a script or part of one.`;
  return { path, code: 'FILE_SKIPPED', message };
}

function unknownSkipped({ path, content }: FileSeen): SkippedFile {
  const ofArchive = content === 'archive' ? 'is an archive, not a clip' : undefined;
  const ofText = content === 'text' ? 'contains text, not a clip' : undefined;
  const what = ofArchive ?? ofText ?? 'is not a known type of video or image';
  return { path, code: 'FILE_SKIPPED', message: `Not sent: "${visibleName(path)}" ${what}.` };
}

function hexOf(name: string): string {
  return [...new TextEncoder().encode(name)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function fileWarnings(file: ClipFile): readonly ExportWarning[] {
  const shown = visibleName(file.path);
  const warnings: ExportWarning[] = [];
  if (file.links > 1) {
    const message = `Hard links: "${shown}" has ${file.links} names on this disk. It is sent, but a change made through another name counts as a change to this file.`;
    warnings.push({ code: 'FILE_HARDLINK', message, file: file.path });
  }
  if (hasHiddenCharacters(file.path)) {
    const message = `The name "${shown}" contains hidden or unreadable characters.`;
    warnings.push({ code: 'FILE_NAME_HIDDEN', message, file: file.path });
  }
  return warnings;
}

/** Codes of oddities that do not stop an export. */
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
  | 'COMPANION_MISSING'
  | 'PROJECT_NOT_SENT'
  | 'SYSTEM_UNCLEAR'
  | 'SYSTEMS_MIXED'
  | 'CLOCKS_DIFFER'
  | 'ZONE_UNLIKELY'
  | 'FILE_NOT_LISTED'
  | 'CAMERA_CLOCK'
  | 'SERIES_GAP'
  | 'NEEDS_VENDOR_PLAYER';

/** One oddity of an export, in words for people; `file` is the path inside the export. */
export interface ExportWarning {
  readonly code: ExportWarningCode;
  readonly message: string;
  readonly file?: string;
}
