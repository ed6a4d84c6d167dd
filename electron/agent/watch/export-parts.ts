/**
 * The incidents that one inspected tree of a root consists of: the tree itself, where each folder is one incident, or
 * its parts. A part has its own record, with the files of the tree that belong to it, so that the code that hands
 * exports over and reports their standing need not know the unit.
 */
import { folderOfExport, isSameVersion, type ExportRef } from '../core/settle/file-seen.ts';
import type { WatchSettings } from '../../../shared/domain/settings.ts';
import { readClipName, type ClipNameRules } from '../core/naming/read-clip-name.ts';
import { isClipFile } from '../core/naming/recognise-export.ts';
import { baseName, markerOf } from '../core/naming/file-kinds.ts';
import { splitUnits, type UnitFile, type UnitGroup, type UnitKey } from '../core/settle/split-units.ts';
import type { EntryProblem } from '../files/file-failures.ts';
import {
  markerFor,
  markersIn,
  newRecord,
  recount,
  type ExportRecord,
  type FileState,
  type TrackedExport,
} from './export-record.ts';

/** Looks in a row that must miss a part before it counts as removed. */
const LOOKS_UNTIL_REMOVED = 2;

/** The parts of the trees of one root. */
export interface ExportParts {
  /** Divides a tree that was just inspected. Returns the parts that are gone for good. */
  divide(tree: TrackedExport): readonly TrackedExport[];
  /** The parts of a tree by its last division; the tree itself, if it is one incident. */
  of(tree: TrackedExport): readonly TrackedExport[];
  /** The tree is gone. Returns everything that it consisted of. */
  drop(tree: TrackedExport): readonly TrackedExport[];
  /** How many parts are held by a marker. */
  onHold(): number;
  /** Whether there is a part of this name. */
  has(exportPath: string): boolean;
}

/** How a root is divided, and how the names of its clips are read for that. */
export interface PartTerms {
  readonly settings: Partial<Pick<WatchSettings, 'unit' | 'windowMinutes'>>;
  readonly rules?: ClipNameRules | undefined;
  /** Whether a loose file is in the queue already, by its name in the root. */
  readonly isTaken?: (rootId: string, name: string) => boolean;
}

interface Division {
  parts: Map<string, ExportRecord>;
  list: readonly TrackedExport[];
  /** The incident with which each clip was handed over, by path in the tree: a window that has begun keeps its name. */
  readonly assigned: Map<string, UnitKey>;
  readonly missedLooks: Map<string, number>;
}

/** Creates the export parts; nothing is divided yet. */
export function createExportParts({ settings, rules, isTaken }: PartTerms): ExportParts {
  const { unit = 'folder', windowMinutes = 10 } = settings;
  const divisions = new Map<TrackedExport, Division>();

  const isWhole = ({ ref, owned }: TrackedExport): boolean =>
    (unit === 'folder' || (unit === 'file' && ref.exportPath !== '')) &&
    [...owned.values()].every(({ owner }) => owner === undefined || owner.exportPath === ref.exportPath);

  function groupsOf(tree: TrackedExport, { assigned }: Division): readonly UnitGroup[] {
    const files: UnitFile[] = [];
    for (const [path, state] of tree.files) {
      if (markerOf(baseName(path)) !== undefined) continue;
      const isClip = isClipFile({ ...state.seen, path: inRoot(tree, path) });
      // A person sent it as evidence, so it belongs to another incident
      if (!isClip && tree.ref.exportPath === '' && isTaken?.(tree.ref.rootId, path) === true) continue;
      const span = unit === 'window' && isClip ? spanOf(tree, path, rules) : undefined;
      const owner = isClip ? ownerOf(tree, path, state, assigned) : undefined;
      files.push({ path: inRoot(tree, path), isClip, span, owner });
    }
    return splitUnits(files, { unit, windowMinutes, tree: tree.ref.exportPath });
  }

  function divide(tree: TrackedExport): readonly TrackedExport[] {
    const division = divisions.get(tree) ?? {
      parts: new Map<string, ExportRecord>(),
      list: [],
      assigned: new Map<string, UnitKey>(),
      missedLooks: new Map<string, number>(),
    };
    divisions.set(tree, division);
    if (isWhole(tree)) {
      division.list = [tree];
      return [];
    }
    const groups = groupsOf(tree, division);
    for (const { key, files } of groups) {
      const states = statesOf(tree, key, files);
      const former = division.parts.get(key.exportPath);
      const part = former ?? newPart(tree, key);
      division.parts.set(key.exportPath, part);
      division.missedLooks.delete(key.exportPath);
      updatePart(part, tree, key, states, unit);
      if (former === undefined) part.settledVersion = isAllKnown(tree, key, files) ? 0 : part.settledVersion;
      for (const { path, isClip } of files) {
        const own = inTree(tree, path);
        if (isClip && tree.files.get(own)?.kind === 'settled') division.assigned.set(own, key);
      }
    }
    shareProblems(tree, division.parts);
    shareMarkers(tree, division.parts);
    return dropMissing(division, new Set(groups.map(({ key }) => key.exportPath)));
  }

  return {
    divide,
    of: (tree) => divisions.get(tree)?.list ?? [tree],
    drop(tree) {
      const list = divisions.get(tree)?.list ?? [];
      divisions.delete(tree);
      const all = list.includes(tree) ? list : [...list, tree];
      return [...all, ...formerParts(tree, new Set(all.map(({ ref }) => ref.exportPath)))];
    },
    onHold: () =>
      [...divisions.values()].flatMap(({ list }) => list.filter(({ marker }) => marker === 'hold')).length,
    has: (exportPath) => [...divisions.values()].some(({ parts }) => parts.has(exportPath)),
  };
}

/** A part that was missed once may be a folder that is being renamed, or be on a share that lists only half. */
function dropMissing(division: Division, present: ReadonlySet<string>): readonly TrackedExport[] {
  const gone: TrackedExport[] = [];
  for (const [exportPath, part] of division.parts) {
    if (present.has(exportPath)) continue;
    const missed = (division.missedLooks.get(exportPath) ?? 0) + 1;
    division.missedLooks.set(exportPath, missed);
    if (missed < LOOKS_UNTIL_REMOVED) continue;
    division.missedLooks.delete(exportPath);
    division.parts.delete(exportPath);
    gone.push(part);
  }
  division.list = [...division.parts.values()].filter(({ ref }) => present.has(ref.exportPath));
  return gone;
}

/** Incidents in a tree that no current unit makes: they are gone with it. */
function formerParts(tree: TrackedExport, currentPaths: ReadonlySet<string>): readonly TrackedExport[] {
  const keys = new Map<string, UnitKey>();
  for (const { owner } of tree.owned.values())
    if (owner !== undefined && owner.folder !== '' && !currentPaths.has(owner.exportPath))
      keys.set(owner.exportPath, owner);
  return [...keys.values()].map((key) => {
    const part = newPart(tree, key);
    return { ...part, ref: refOf(tree, key, 'folder') };
  });
}

function newPart(tree: TrackedExport, key: UnitKey): ExportRecord {
  const part = newRecord({ ref: tree.ref, inode: tree.inode }, new Map());
  const wasKnown = [...tree.owned.values()].some(({ owner }) => owner?.exportPath === key.exportPath);
  return { ...part, wasKnown };
}

function updatePart(
  part: ExportRecord,
  tree: TrackedExport,
  key: UnitKey,
  states: ReadonlyMap<string, FileState>,
  unit: WatchSettings['unit'],
): void {
  const isOther = (path: string): boolean => {
    const [before, now] = [part.files.get(path), states.get(path)];
    if (before?.kind !== 'settled' || now?.kind !== 'settled') return before?.kind !== now?.kind;
    return !isSameVersion(before.seen, now.seen);
  };
  const isSettledOther = [...new Set([...part.files.keys(), ...states.keys()])].some(
    (path) =>
      isOther(path) && (part.files.get(path)?.kind === 'settled' || states.get(path)?.kind === 'settled'),
  );
  if (isSettledOther) part.settledVersion += 1;
  part.files.clear();
  for (const [path, state] of states) part.files.set(path, state);
  part.ref = refOf(tree, key, unit);
  part.isWaitedFor = tree.isWaitedFor;
  recount(part);
}

function refOf(tree: TrackedExport, { exportPath, folder }: UnitKey, unit: WatchSettings['unit']): ExportRef {
  const { rootId, rootPath, mtimeMs } = tree.ref;
  const isFolder = folder === exportPath;
  // Clips without a folder are identified by their name until they are seen gone, not by a birth time
  const times = isFolder ? tree.folders.get(inTree(tree, folder)) : undefined;
  return {
    rootId,
    rootPath,
    exportPath,
    ...(!isFolder && { folder }),
    ...(unit !== 'folder' && { unit }),
    birthMs: times?.birthMs ?? 0,
    mtimeMs: times?.mtimeMs ?? mtimeMs,
  };
}

function statesOf(
  tree: TrackedExport,
  { folder }: UnitKey,
  files: readonly UnitFile[],
): ReadonlyMap<string, FileState> {
  const states = new Map<string, FileState>();
  for (const { path } of files) {
    const state = tree.files.get(inTree(tree, path));
    const inside = below(folder, path);
    if (state !== undefined) states.set(inside, withPath(state, inside));
  }
  return states;
}

function withPath(state: FileState, path: string): FileState {
  if (state.seen.path === path) return state;
  // The same twice, because the type of `seen` depends on the kind
  if (state.kind === 'settled') return { ...state, seen: { ...state.seen, path } };
  return { ...state, seen: { ...state.seen, path } };
}

/** A loose clip has the markers of its own name, and those of the folders that it is in. */
function shareMarkers(tree: TrackedExport, parts: ReadonlyMap<string, ExportRecord>): void {
  const markers = markersIn([...tree.files.values()].map(({ seen }) => seen));
  for (const part of parts.values()) {
    const { exportPath, folder } = part.ref;
    const place = inTree(tree, exportPath);
    part.marker = markerFor(folder === undefined && place !== '' ? `${place}/` : place, markers);
  }
}

/** Assigns each problem to the part that it is in, else to the first one. */
function shareProblems(tree: TrackedExport, parts: ReadonlyMap<string, ExportRecord>): void {
  const all = [...parts.values()];
  const deepest = all.toSorted(
    (one, other) => folderOfExport(other.ref).length - folderOfExport(one.ref).length,
  );
  const shared = new Map<ExportRecord, EntryProblem[]>(all.map((part) => [part, []]));
  for (const problem of tree.problems) {
    const path = inRoot(tree, problem.path);
    const part = deepest.find(({ ref }) => isBelow(folderOfExport(ref), path)) ?? all[0];
    if (part !== undefined)
      shared.get(part)?.push({ ...problem, path: below(folderOfExport(part.ref), path) });
  }
  for (const [part, problems] of shared) part.problems = problems;
}

/** The incident that has this very version of a clip; undefined if its folder has been recreated. */
function ownerOf(
  tree: TrackedExport,
  path: string,
  state: FileState,
  assigned: ReadonlyMap<string, UnitKey>,
): UnitKey | undefined {
  const known = tree.owned.get(path);
  const owner = known?.owner;
  if (known === undefined || owner === undefined) return assigned.get(path);
  if (state.kind !== 'settled' || !isSameVersion(known, state.seen)) return assigned.get(path);
  const birthMs = tree.folders.get(inTree(tree, owner.folder))?.birthMs ?? 0;
  const isReplaced = owner.birthMs > 0 && birthMs > 0 && owner.birthMs !== birthMs;
  return isReplaced ? undefined : owner;
}

function isAllKnown(tree: TrackedExport, { exportPath }: UnitKey, files: readonly UnitFile[]): boolean {
  return files.every(({ path }) => {
    const own = inTree(tree, path);
    const state = tree.files.get(own);
    if (state?.kind !== 'settled') return true;
    const known = tree.owned.get(own);
    return known?.owner?.exportPath === exportPath && isSameVersion(known, state.seen);
  });
}

/** When a clip was recorded: by its record, else by its name. */
function spanOf(tree: TrackedExport, path: string, rules: ClipNameRules | undefined): UnitFile['span'] {
  const known = tree.owned.get(path);
  const read = rules && readClipName(inRoot(tree, path), rules);
  const startMs = known?.startMs ?? read?.startedAt?.value;
  if (startMs === undefined) return undefined;
  return { startMs, endMs: known?.endMs ?? read?.endedAt?.value ?? startMs };
}

const inRoot = ({ ref }: TrackedExport, path: string): string =>
  ref.exportPath === '' ? path : `${ref.exportPath}/${path}`;

/** A path of the root as one of the tree; empty for the tree itself. */
const inTree = ({ ref }: TrackedExport, path: string): string => below(ref.exportPath, path);

const isBelow = (folder: string, path: string): boolean => folder === '' || path.startsWith(`${folder}/`);

function below(folder: string, path: string): string {
  if (folder === '') return path;
  return path === folder ? '' : path.slice(folder.length + 1);
}
