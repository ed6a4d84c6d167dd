/** Container format of a clip; `native` is a vendor's own format. */
export type Container = 'mp4' | 'mkv' | 'avi' | 'asf' | 'ts' | 'ps' | 'raw' | 'native';

/** What a file is for, by its name alone. */
export type FileKind =
  | { readonly kind: 'clip'; readonly container: Container }
  | { readonly kind: 'image' }
  | { readonly kind: 'document' }
  | { readonly kind: 'companion' }
  | { readonly kind: 'program' }
  | { readonly kind: 'temporary' }
  | { readonly kind: 'ignored' }
  | { readonly kind: 'unknown' };

const containers: Readonly<Record<Container, readonly string[]>> = {
  mp4: ['mp4', 'm4v', 'mov', '3gp'],
  mkv: ['mkv', 'webm'],
  avi: ['avi'],
  asf: ['asf', 'wmv'],
  ts: ['ts', 'm2ts', 'mts'],
  ps: ['mpg', 'mpeg', 'ps'],
  raw: ['h264', 'h265', '264', '265', 'hevc'],
  native: 'g64 g64x gek ave avfs avf avk dav dsf dvr bvr nov vca psx epv lnr cpv sec vid'.split(' '),
};

const images = new Set(['jpg', 'jpeg', 'png', 'bmp', 'webp']);
const documents = new Set(['json', 'csv', 'xml', 'txt', 'pdf', 'html', 'htm', 'srt', 'vtt']);
/** Indexes, parts of projects, playlists, checksums and signatures: they belong to clips but are not clips. */
const companions = new Set(
  'psi inx idx blk scp pic thumb sig p7s p7m md5 sfv sha1 sha256 sha512 m3u m3u8 pls wpl asx xspf'.split(' '),
);
const programs = new Set('exe dll msi bat cmd com scr ps1 vbs js jar sh lnk inf'.split(' '));
const temporaries = new Set(['tmp', 'part', 'partial', 'crdownload', 'lock']);
const ignoredNames = new Set(['thumbs.db', 'desktop.ini', '.ds_store']);
const ignoredExtensions = new Set(['db', 'ico', 'ini']);

const containerByExtension: ReadonlyMap<string, Container> = new Map(
  Object.entries(containers).flatMap(([container, extensions]) =>
    extensions.map((extension): [string, Container] => [extension, toContainer(container)]),
  ),
);

function toContainer(name: string): Container {
  for (const container of ['mp4', 'mkv', 'avi', 'asf', 'ts', 'ps', 'raw'] as const) {
    if (name === container) return container;
  }
  return 'native';
}

/** Last name of a path. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Folder of a path with its closing slash; empty at the top of the export. */
export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

/** Stem and extension in lower case. Dots and blanks at the end, which some systems drop, do not count. */
export function splitName(name: string): { readonly stem: string; readonly extension: string } {
  const trimmed = name.replace(/[. ]+$/, '');
  const dot = trimmed.lastIndexOf('.');
  if (dot <= 0) return { stem: trimmed, extension: '' };
  return { stem: trimmed.slice(0, dot), extension: trimmed.slice(dot + 1).toLowerCase() };
}

/** A path without its extension. */
export const stemPath = (path: string): string => folderOf(path) + splitName(baseName(path)).stem;

/** Whether a name hides a file or folder. Two dots do not: `..\..\evil.mp4` is an odd but plain name on Linux. */
export function isHiddenName(name: string): boolean {
  return /^\.(?!\.)/.test(name);
}

/** What a file of this name is for. */
export function fileKindOf(name: string): FileKind {
  const { extension } = splitName(name);
  // Files that Canon's recorder is still writing, or that an office program has open
  const isUnfinished = name.startsWith('~$') || name.startsWith('NVR_STANDBY_');
  if (isUnfinished || temporaries.has(extension)) return { kind: 'temporary' };
  if (isHiddenName(name) || ignoredNames.has(name.toLowerCase())) return { kind: 'ignored' };
  // Canon's recorder writes pairs; the index of a pair has the extension of a video
  const isCanonIndex = name.startsWith('NVR_INDEX_');
  const container = containerByExtension.get(extension);
  if (container !== undefined && !isCanonIndex) return { kind: 'clip', container };
  if (images.has(extension)) return { kind: 'image' };
  if (documents.has(extension)) return { kind: 'document' };
  if (companions.has(extension) || isCanonIndex) return { kind: 'companion' };
  if (programs.has(extension)) return { kind: 'program' };
  const isIgnored = ignoredExtensions.has(extension) || markerOf(name) !== undefined;
  return { kind: isIgnored ? 'ignored' : 'unknown' };
}

const archives = new Set('zip rar 7z tar gz tgz bz2 xz cab iso apk'.split(' '));

/** Whether the name is that of an archive. */
export const isArchive = (path: string): boolean => archives.has(splitName(baseName(path)).extension);

/** Whether the extension is one of a clip or an image, so that it may be sent under our own name. */
export function isKnownExtension(extension: string): boolean {
  return containerByExtension.has(extension) || images.has(extension);
}

/**
 * Extensions that copy programs, browsers and recorders give a file while writing it, in addition to those in
 * `fileKindOf`.
 */
const temporaryExtensions = new Set(
  'temp filepart download opdownload aria2 !ut bc! crswap swp swx writing recording inprogress incomplete'.split(
    ' ',
  ),
);

/** Prefixes of files that another program keeps open: office locks, editors, rsync. */
const temporaryPrefixes = ['~$', '.~', '.#'];

/** Folders of the operating system and of storage servers: never an export. */
const ignoredFolders = new Set([
  '$recycle.bin',
  'system volume information',
  'lost+found',
  '@eadir',
  '#recycle',
  '#snapshot',
  '@recycle',
  '@tmp',
  '__macosx',
]);

/** Whether the name shows that another program is still writing the file or folder. */
export function isTemporaryName(name: string): boolean {
  if (temporaryPrefixes.some((prefix) => name.startsWith(prefix))) return true;
  return fileKindOf(name).kind === 'temporary' || temporaryExtensions.has(splitName(name).extension);
}

/** The instruction that an empty marker file gives the agent. */
export type Marker = 'ready' | 'hold' | 'ignore';

/**
 * The marker that a file of this name is: `.hold` for its whole folder, `clip.mp4.hold` for that clip; undefined for
 * every other file. `of`: the name of the clip, empty for the folder.
 */
export function markerOf(name: string): { readonly marker: Marker; readonly of: string } | undefined {
  const [, of = '', word = ''] = /^(.*)\.(ready|hold|ignore)$/i.exec(name) ?? [];
  const marker = (['ready', 'hold', 'ignore'] as const).find((each) => each === word.toLowerCase());
  return marker !== undefined && (of === '' || fileKindOf(of).kind === 'clip') ? { marker, of } : undefined;
}

/** Why a file that is ignored or in a hidden folder is counted but not sent. */
export function whyIgnored(path: string): string {
  const name = baseName(path);
  if (markerOf(name) !== undefined) return 'a marker file';
  const isOfSystem = isHiddenName(name) || ignoredNames.has(name.toLowerCase());
  return !isOfSystem && ignoredExtensions.has(splitName(name).extension)
    ? 'a database, icon or settings file, judging by its name'
    : 'a hidden or system file';
}

/** Whether a file is silently left out. */
export function isIgnoredFileName(name: string): boolean {
  if (markerOf(name) !== undefined) return false;
  return !isTemporaryName(name) && fileKindOf(name).kind === 'ignored';
}

/** Whether a folder is silently left out: hidden, temporary, or one of the operating system. */
export function isIgnoredFolderName(name: string): boolean {
  return isHiddenName(name) || isTemporaryName(name) || ignoredFolders.has(name.toLowerCase());
}
