/**
 * Decides which files of a watched root are one incident. Pure: paths, and for `window` times, in; groups out. Files in
 * the queue stay with their incident, whatever the unit is now, so a change of unit sends nothing twice and a window
 * that has begun keeps its name.
 */
import type { WatchUnit } from '../../../../shared/domain/settings.ts';
import { assertNever } from '../../../../shared/lib/result.ts';
import { baseName, fileKindOf, folderOf, splitName } from '../naming/file-kinds.ts';
import { readFolderName } from '../naming/read-folder-name.ts';
import type { ExportRef } from './file-seen.ts';

/** An incident's path, and the folder that its files' paths are relative to; both are inside the root. */
export interface UnitKey {
  readonly exportPath: string;
  readonly folder: string;
}

/** A file of a root, by its path inside the root. */
export interface UnitFile {
  readonly path: string;
  readonly isClip: boolean;
  /** When it was recorded, milliseconds since 1970, if known. */
  readonly span?: { readonly startMs: number; readonly endMs: number } | undefined;
  /** The incident that already has this version of the file. */
  readonly owner?: UnitKey | undefined;
}

/** Files that are one incident or, without a clip, none. */
export interface UnitGroup {
  readonly key: UnitKey;
  readonly files: readonly UnitFile[];
  readonly hasClips: boolean;
}

/** How a tree is divided. `tree`: the child folder of the root that is being inspected; empty for the root itself. */
export interface UnitTerms {
  readonly unit: WatchUnit;
  readonly windowMinutes: number;
  readonly tree: string;
}

const MINUTE_MS = 60_000;

/** Whether loose files are incidents or parts of incidents. */
export const takesLoose = (unit: WatchUnit | undefined): boolean => unit === 'file' || unit === 'window';

/** Whether a tree consists of the loose files in the root, without its folders. */
export const isLooseTree = (unit: WatchUnit | undefined, tree: string): boolean =>
  unit === 'file' && tree === '';

/**
 * The parts of a root that are inspected separately: its folders, its loose files or, if incidents span folders, all of
 * it.
 */
export function treesOf(unit: WatchUnit | undefined, folders: readonly string[]): readonly string[] {
  if (unit === 'window') return [''];
  return unit === 'file' ? [...folders, ''] : folders;
}

/** Divides the files of one tree. Clips that belong to another incident are left out, along with their other files. */
export function splitUnits(files: readonly UnitFile[], terms: UnitTerms): readonly UnitGroup[] {
  const clips = files.filter(({ isClip }) => isClip);
  const keys = clipKeys(clips, terms);
  const isTaken = ({ path, owner }: UnitFile): boolean =>
    owner !== undefined && owner.exportPath !== keys.get(path)?.exportPath;
  const taken = new Set(clips.filter(isTaken));
  const rest = restKeys(clips, keys, terms);
  const takenStems = new Set([...taken].flatMap(({ path }) => [path, stemPath(path)]));
  const keptStems = new Set(
    clips.flatMap((clip) => (taken.has(clip) ? [] : [clip.path, stemPath(clip.path)])),
  );
  const groups = new Map<string, { key: UnitKey; files: UnitFile[]; hasClips: boolean; hasTaken: boolean }>();
  for (const file of files) {
    const key = keys.get(file.path) ?? rest(file.path);
    const group = groups.get(key.exportPath) ?? { key, files: [], hasClips: false, hasTaken: false };
    groups.set(key.exportPath, group);
    const stem = stemPath(file.path);
    const isOfTaken = !file.isClip && takenStems.has(stem) && !keptStems.has(stem);
    if (taken.has(file) || isOfTaken) group.hasTaken = true;
    else group.files.push(file);
    group.hasClips ||= file.isClip && !taken.has(file);
  }
  // The rest of a group whose clips belong to other incidents is not reported
  return [...groups.values()].filter((group) => group.hasClips || !group.hasTaken);
}

/** The incident of each clip according to the unit. Only `window` considers the incident that it is in already. */
function clipKeys(clips: readonly UnitFile[], terms: UnitTerms): ReadonlyMap<string, UnitKey> {
  const { unit, tree, windowMinutes } = terms;
  if (unit === 'window') return windowKeys(clips, windowMinutes * MINUTE_MS);
  const keyOf = (path: string): UnitKey => {
    if (unit === 'file' && tree === '') return { exportPath: path, folder: '' };
    return folderKey(folderUnit(path, unit, tree));
  };
  return new Map(clips.map(({ path }) => [path, keyOf(path)]));
}

/**
 * Returns a function that tells whether a missing file that an incident with these clips names would belong to it, and
 * not to another incident of the same root. Paths are relative to the incident.
 */
export function createJoinCheck(
  { exportPath, folder, unit = 'folder' }: Pick<ExportRef, 'exportPath' | 'folder' | 'unit'>,
  clips: readonly string[],
): (path: string) => boolean {
  const stems = new Set(clips.flatMap((path) => [path, stemPath(path)]));
  const [tree = ''] = exportPath.split('/');
  return (path) => {
    const isClip = fileKindOf(baseName(path)).kind === 'clip';
    if (folder !== undefined) return !isClip && (stems.has(path) || stems.has(stemPath(path)));
    if (!isClip || unit === 'window') return true;
    return folderUnit(`${exportPath}/${path}`, unit, tree) === exportPath;
  };
}

const folderKey = (exportPath: string): UnitKey => ({ exportPath, folder: exportPath });

/** The folder that is the incident of a clip. */
function folderUnit(path: string, unit: Exclude<WatchUnit, 'window'>, tree: string): string {
  const names = path.split('/').slice(0, -1);
  switch (unit) {
    case 'folder':
    case 'file':
      return tree;
    case 'leaf':
      return names.join('/');
    case 'dateFolders':
      return names.slice(0, countDateFolders(names) + 1).join('/');
    case 'run':
      return names.slice(0, 2).join('/');
    default:
      return assertNever(unit);
  }
}

/**
 * Finds the incident of a file that is not a clip: that of the clip of the same name, or else of its folder or one
 * above.
 */
function restKeys(
  clips: readonly UnitFile[],
  keys: ReadonlyMap<string, UnitKey>,
  { unit, tree }: UnitTerms,
): (path: string) => UnitKey {
  const byStem = new Map<string, UnitKey>();
  const byFolder = new Map<string, UnitKey>();
  for (const { path } of clips) {
    const key = keys.get(path);
    if (key === undefined) continue;
    for (const stem of [path, stemPath(path)]) if (!byStem.has(stem)) byStem.set(stem, key);
    if (key.folder === key.exportPath) byFolder.set(key.folder, key);
  }
  const isLoose = unit === 'window' || tree === '';
  return (path) => {
    const named = byStem.get(path) ?? byStem.get(stemPath(path));
    if (named !== undefined) return named;
    if (isLoose) return folderKey('');
    if (unit !== 'leaf') return folderKey(folderUnit(path, unit, tree));
    for (let folder = folderOf(path).slice(0, -1); folder !== ''; folder = folderOf(folder).slice(0, -1)) {
      const key = byFolder.get(folder);
      if (key !== undefined) return key;
    }
    return folderKey(tree);
  };
}

/**
 * Clips whose times overlap or lie within the window are one incident, named after its first clip when it is first
 * seen. A clip between two incidents joins the earlier one. A clip without a time is an incident of its own, because it
 * is not known where it belongs.
 */
function windowKeys(clips: readonly UnitFile[], windowMs: number): ReadonlyMap<string, UnitKey> {
  const keys = new Map<string, UnitKey>();
  const ownKey = (path: string): UnitKey => ({ exportPath: path, folder: '' });
  const timed = clips
    .filter(({ owner }) => owner === undefined || windowOwner(owner) !== undefined)
    .flatMap((clip) => (clip.span === undefined ? [] : [{ ...clip, span: clip.span }]))
    .toSorted((one, other) => one.span.startMs - other.span.startMs || (one.path < other.path ? -1 : 1));
  for (const { path, owner } of clips) keys.set(path, windowOwner(owner) ?? ownKey(path));
  for (let first = 0; first < timed.length;) {
    let next = first;
    let endMs = -Infinity;
    for (; next < timed.length; next += 1) {
      const { span } = timed[next] ?? { span: { startMs: 0, endMs: 0 } };
      if (next > first && span.startMs > endMs + windowMs) break;
      endMs = Math.max(endMs, span.startMs, span.endMs);
    }
    const group = timed.slice(first, next);
    const owners = group.map(({ owner }) => windowOwner(owner));
    let current = owners.find((owner) => owner !== undefined) ?? ownKey(group[0]?.path ?? '');
    for (const [index, { path }] of group.entries()) {
      current = owners[index] ?? current;
      keys.set(path, current);
    }
    first = next;
  }
  return keys;
}

/** The owner, if it can be a window: a folder's incident accepts no clips from other folders. */
const windowOwner = (owner: UnitKey | undefined): UnitKey | undefined =>
  owner?.folder === '' ? owner : undefined;

const yearName = /^(?:19|20)\d{2}$/;
const yearMonthName = /^(?:19|20)\d{2}[-_.]?(?:0[1-9]|1[0-2])$/;
const monthName =
  /^(?:0?[1-9]|1[0-2]|(?:\d{1,2}[-_ ])?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6})$/i;
const dayName = /^(?:0?[1-9]|[12]\d|3[01])$/;

/** How many folders from the top stand for a year, a month or a day. */
function countDateFolders(names: readonly string[]): number {
  const [first = '', second = '', third = ''] = names;
  if (isDay(first)) return 1;
  if (yearMonthName.test(first)) return dayName.test(second) || isDay(second) ? 2 : 1;
  if (!yearName.test(first)) return 0;
  if (isDay(second)) return 2;
  if (!monthName.test(second) && !yearMonthName.test(second)) return 1;
  return dayName.test(third) || isDay(third) ? 3 : 2;
}

/** Whether the name is a date without a time of day: `2025-01-10`, `20250110`, `10.01.2025`. */
function isDay(name: string): boolean {
  const { title, time } = readFolderName(name);
  return title === '' && time?.precision === 'day';
}

/** The path without its file extension. */
export function stemPath(path: string): string {
  return folderOf(path) + splitName(baseName(path)).stem;
}
