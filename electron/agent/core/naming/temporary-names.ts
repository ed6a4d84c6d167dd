import { fileKindOf, isHiddenName, splitName } from './file-kinds.ts';

/** Endings that copiers, browsers and recorders give a file while they write it, besides those of `fileKindOf`. */
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

/** Whether the name says that another program is still making the file or folder. */
export function isTemporaryName(name: string): boolean {
  if (temporaryPrefixes.some((prefix) => name.startsWith(prefix))) return true;
  return fileKindOf(name).kind === 'temporary' || temporaryExtensions.has(splitName(name).extension);
}

/** Whether a file is left out without a word: hidden, or a by-product of the operating system. */
export function isIgnoredFileName(name: string): boolean {
  return !isTemporaryName(name) && fileKindOf(name).kind === 'ignored';
}

/** Whether a folder is left out without a word: hidden, temporary, or one of the operating system. */
export function isIgnoredFolderName(name: string): boolean {
  return isHiddenName(name) || isTemporaryName(name) || ignoredFolders.has(name.toLowerCase());
}
