import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Failure } from '../../../shared/domain/failure.ts';
import { agentPolicyOf, isFileWaitedFor } from '../core/failures/failure-policy.ts';
import { knownFile } from '../core/naming/account-files.ts';
import { baseName, folderOf, isTemporaryName, markerOf, type Marker } from '../core/naming/file-kinds.ts';
import {
  isRewritten,
  type ExportSnapshot,
  type SettledFile,
  type ExportRef,
  type FileSeen,
  type KnownFile,
} from '../core/settle/file-seen.ts';
import { isSameInPlace, observe, type Observation, type SettleTerms } from '../core/settle/settle-rule.ts';
import type { EntryProblem } from '../files/file-failures.ts';
import type { FolderStamp, InspectedExport } from '../files/inspect-export.ts';

/** How far one file has settled. */
export type FileState =
  | {
      readonly kind: 'changing';
      readonly seen: FileSeen;
      readonly observation: Observation;
      /** Has a temporary name: it is waited for, and left out once it is quiet. */
      readonly isTemporary: boolean;
      /** Whether its container now proves that its writer has closed it; undefined: not checked yet. */
      readonly isClosed: boolean | undefined;
      /** Wall-clock time at which it was first seen, or seen changed after it had settled; milliseconds since 1970. */
      readonly seenAtMs: number;
    }
  | {
      readonly kind: 'held';
      readonly seen: FileSeen;
      readonly failure: Failure;
      readonly sinceMs: number;
      readonly seenAtMs: number;
    }
  | { readonly kind: 'left-out'; readonly seen: FileSeen }
  /** `isEarly`: it did not wait for the settle time, and has not changed since. */
  | { readonly kind: 'settled'; readonly seen: SettledFile; readonly isEarly?: true };

/** The state of one export folder. Only the tracker changes it. */
export interface ExportRecord {
  ref: ExportRef;
  readonly inode: string;
  /** It was queued before this watch began. */
  readonly wasKnown: boolean;
  readonly files: Map<string, FileState>;
  /** Its files that were queued before this watch began, by path. */
  readonly owned: ReadonlyMap<string, KnownFile>;
  /** Its folders with their times, by path; empty for the export itself. */
  folders: InspectedExport['folders'];
  /** The strictest of its markers. */
  marker: Marker | undefined;
  /** Links, pipes and devices; hidden files and by-products of the system. */
  others: readonly FileSeen[];
  litter: readonly string[];
  problems: readonly EntryProblem[];
  /** Set when nothing is being waited for: while they stay equal, nothing needs to be inspected. */
  stamps: readonly FolderStamp[] | undefined;
  /** Files in these states; recounted after each inspection. */
  changing: number;
  held: number;
  /** Grows when the set of settled files changes: an equal number means an equal set. */
  settledVersion: number;
  /** Something in it could not be read, and may be readable by now. */
  isWaitedFor: boolean;
  /** Whole scans in a row that did not find the folder. */
  missedScans: number;
}

/** A record as everything but the tracker sees it. */
export type TrackedExport = Readonly<Omit<ExportRecord, 'files'>> & {
  readonly files: ReadonlyMap<string, FileState>;
};

/** When an inspection was made, milliseconds: monotonic and wall clock. */
export interface InspectionTimes {
  readonly atMs: number;
  readonly wallMs: number;
}

/** Creates the record of an export that was not seen before; the files of `known` count as settled. */
export function newRecord(
  { ref, inode }: Pick<InspectedExport, 'ref' | 'inode'>,
  known: ReadonlyMap<string, KnownFile>,
): ExportRecord {
  return {
    ref,
    inode,
    wasKnown: known.size > 0,
    files: new Map(
      [...known].map(([path, version]) => [path, { kind: 'settled', seen: knownFile(path, version) }]),
    ),
    owned: known,
    folders: new Map(),
    marker: undefined,
    others: [],
    litter: [],
    problems: [],
    stamps: undefined,
    changing: 0,
    held: 0,
    settledVersion: 0,
    isWaitedFor: false,
    missedScans: 0,
  };
}

/** Files recorded before the event loop gets a turn: some microseconds each. */
const FILES_PER_TURN = 5_000;

/** Records what an inspection saw. Returns files that are quiet now and wait for a check, perhaps not their first. */
export async function recordInspection(
  record: ExportRecord,
  inspected: InspectedExport,
  times: InspectionTimes,
  terms: SettleTerms,
): Promise<readonly FileSeen[]> {
  const quiet: FileSeen[] = [];
  const files = inspected.files.filter((file) => file.kind === 'file');
  record.others = inspected.files.filter((file) => file.kind !== 'file');
  record.litter = inspected.litter;
  const markers = markersIn(files);
  record.marker = markerFor('', markers);
  for (const [index, file] of files.entries()) {
    if (index > 0 && index % FILES_PER_TURN === 0) await nextTurn();
    const { state, isQuiet } = nextState(record.files.get(file.path), file, times, terms);
    setFile(record, file.path, state);
    if (isQuiet || (state.kind === 'changing' && isReady(file, markers))) quiet.push(file);
  }
  if (record.files.size > files.length) dropMissing(record, files, inspected.unseen);
  return quiet;
}

/** A marker in an export. */
interface PlacedMarker {
  readonly marker: Marker;
  /** What it applies to: a folder with a closing slash, empty for the export itself, or a clip. */
  readonly of: string;
  readonly mtimeNs: string;
}

/** The markers among the files of an export. */
export function markersIn(files: Iterable<Pick<FileSeen, 'path' | 'mtimeNs'>>): readonly PlacedMarker[] {
  const markers: PlacedMarker[] = [];
  for (const { path, mtimeNs } of files) {
    const found = markerOf(baseName(path));
    if (found !== undefined) markers.push({ marker: found.marker, of: folderOf(path) + found.of, mtimeNs });
  }
  return markers;
}

/**
 * The marker of a folder (with a closing slash, empty for the export itself) or a clip. One on a folder applies to all
 * below it; `.hold` in a folder below holds the whole, because nobody can know what is still to come there.
 */
export function markerFor(place: string, markers: readonly PlacedMarker[]): Marker | undefined {
  const isAbove = ({ of }: PlacedMarker): boolean =>
    of === place || of === '' || (of.endsWith('/') && place.startsWith(of));
  const isBelow = ({ of }: PlacedMarker): boolean =>
    of.endsWith('/') && (place === '' || (place.endsWith('/') && of.startsWith(place)));
  const says = (marker: Marker, more: (each: PlacedMarker) => boolean = () => false): boolean =>
    markers.some((each) => each.marker === marker && (isAbove(each) || more(each)));
  if (says('ignore')) return 'ignore';
  if (says('hold', isBelow)) return 'hold';
  return says('ready') ? 'ready' : undefined;
}

/** File systems round times by up to two seconds. */
const MARKER_TOLERANCE_NS = 2_000_000_000n;

/** Whether a marker that was written after the file says that it is complete; its container is checked anyway. */
function isReady({ path, mtimeNs }: FileSeen, markers: readonly PlacedMarker[]): boolean {
  const later = markers.filter(
    (each) => each.marker !== 'ready' || BigInt(each.mtimeNs) + MARKER_TOLERANCE_NS >= BigInt(mtimeNs),
  );
  return later.length > 0 && !isTemporaryName(baseName(path)) && markerFor(path, later) === 'ready';
}

/** Sets how far a file has settled. */
export function setFile(record: ExportRecord, path: string, after: FileState): void {
  const before = record.files.get(path);
  record.files.set(path, after);
  if ((before?.kind === 'settled') !== (after.kind === 'settled')) record.settledVersion += 1;
}

/** Recounts changing and held files; an inspection has just passed over all files anyway. */
export function recount(record: ExportRecord): void {
  record.changing = 0;
  record.held = 0;
  for (const state of record.files.values()) {
    if (state.kind === 'changing') record.changing += 1;
    if (state.kind === 'held') record.held += 1;
  }
}

/** The export as it is handed over. */
export function snapshotOf(record: TrackedExport, heldCount: number): ExportSnapshot {
  const { ref, others, litter, changing } = record;
  const files = [...record.files.values()];
  const settled = files.flatMap((state) => (state.kind === 'settled' ? [state.seen] : []));
  const all = [...others, ...files.map(({ seen }) => seen)];
  return { ref, settled, unsettledCount: changing, heldCount, all, litter };
}

/** The last snapshot of an export, whose folder is gone. */
export function removedSnapshotOf({ ref }: TrackedExport): ExportSnapshot {
  return { ref, settled: [], unsettledCount: 0, heldCount: 0, all: [], removedExport: true };
}

/** Returns settled files by path, for an inspection that leaves them out. */
export function settledFileOf(
  record: TrackedExport | undefined,
): ((path: string) => FileSeen | undefined) | undefined {
  if (record === undefined) return undefined;
  return (path) => {
    const state = record.files.get(path);
    return state?.kind === 'settled' ? state.seen : undefined;
  };
}

interface Next {
  readonly state: FileState;
  readonly isQuiet: boolean;
}

function nextState(
  before: FileState | undefined,
  seen: FileSeen,
  times: InspectionTimes,
  terms: SettleTerms,
): Next {
  if (markerOf(baseName(seen.path)) !== undefined)
    return { state: { kind: 'left-out', seen }, isQuiet: false };
  if (before === undefined) return changing(undefined, seen, times, terms);
  if (before.kind === 'changing') return changing(before, seen, times, terms);
  if (!isSameInPlace(before.seen, seen) || isRewritten(before.seen, seen))
    return changing(undefined, seen, times, terms);
  if (before.kind === 'held') {
    const isWaitedFor = isFileWaitedFor(before.failure.code);
    return isWaitedFor
      ? { state: { ...before, seen }, isQuiet: true }
      : { state: stillHeld(before, seen, times.atMs), isQuiet: false };
  }
  if (before.kind === 'left-out') return { state: before, isQuiet: false };
  const { content, incomplete, isEvidence } = before.seen;
  return {
    state: {
      ...before,
      seen: {
        ...seen,
        ...(content && { content }),
        ...(incomplete && { incomplete }),
        ...(isEvidence && { isEvidence }),
      },
    },
    isQuiet: false,
  };
}

function changing(
  before: (FileState & { kind: 'changing' }) | undefined,
  seen: FileSeen,
  times: InspectionTimes,
  terms: SettleTerms,
): Next {
  const { observation, state } = observe(before?.observation, { ...seen, ...times }, terms);
  const isTemporary = isTemporaryName(baseName(seen.path));
  const seenAtMs = before?.seenAtMs ?? times.wallMs;
  const isClosed = before?.observation.sinceMs === observation.sinceMs ? before.isClosed : undefined;
  return {
    state: { kind: 'changing', seen, observation, isTemporary, seenAtMs, isClosed },
    isQuiet: state === 'quiet',
  };
}

function stillHeld(before: FileState & { kind: 'held' }, seen: FileSeen, atMs: number): FileState {
  const { wait } = agentPolicyOf(before.failure.code);
  if (wait.kind !== 'held' || atMs - before.sinceMs < wait.ms) return { ...before, seen };
  return { kind: 'settled', seen: { ...seen, incomplete: true } };
}

function dropMissing(record: ExportRecord, files: readonly FileSeen[], unseen: readonly string[]): void {
  const present = new Set(files.map((file) => file.path));
  for (const [path, state] of record.files) {
    if (present.has(path) || isUnseen(path, unseen)) continue;
    record.files.delete(path);
    if (state.kind === 'settled') record.settledVersion += 1;
  }
}

/** Whether nothing is known about a path, because it or a folder above could not be inspected. */
function isUnseen(path: string, unseen: readonly string[]): boolean {
  return unseen.some(
    (prefix) => prefix === '' || prefix === path || (prefix.endsWith('/') && path.startsWith(prefix)),
  );
}
