import { join } from 'node:path';
import { FailureError } from '../../../shared/domain/failure.ts';
import { policyOf } from '../../../shared/domain/failure-policy.ts';
import type { Failure } from '../../../shared/domain/failure.ts';
import { agentPolicyOf, isFileWaitedFor } from '../core/failures/failure-policy.ts';
import { isExtraFile } from '../core/naming/account-files.ts';
import { asEvidence, type ExportRef, type FileSeen } from '../core/settle/file-seen.ts';
import { settleSecondsFor } from '../core/settle/settle-rule.ts';
import type { AgentEvents } from '../events.ts';
import { factsOf, type ClipCheck } from '../files/containers/check-clip.ts';
import { fileEmpty, fileIncomplete, fileUnfinished } from '../files/file-failures.ts';
import type { EntryProblem } from '../files/file-failures.ts';
import type { InspectedExport } from '../files/inspect-export.ts';
import {
  newRecord,
  recordInspection,
  recount,
  setFile,
  type ExportRecord,
  type FileState,
  type TrackedExport,
} from './export-record.ts';
import { isUnfinishedClip } from './export-standing.ts';
import { inSlice } from './in-slice.ts';
import { endedEarly, endedTooSoon, markEarly, unproven } from './early-end.ts';
import { isSameExport } from './scan-root.ts';
import type { HeldFile, WatchOptions } from './watcher.ts';

/** Remembers how far the files of all exports of one root have settled. In memory: a restart inspects them again. */
export interface ExportTracker {
  readonly records: ReadonlyMap<string, TrackedExport>;
  /** Sums over all records, kept up to date because they are read many times a second. */
  readonly totals: Readonly<Totals>;
  /** The folder of an export is there but cannot be read. */
  noteUnreadable(exportPath: string, failure: Failure): void;
  /**
   * Records one inspection and checks what has gone quiet. `plannedMs` is the time between two inspections that the
   * schedule plans. `replaced`: another folder of the same name was here before.
   */
  take(
    inspected: InspectedExport,
    plannedMs: number,
    signal: AbortSignal,
  ): Promise<{ readonly record: TrackedExport; readonly replaced: TrackedExport | undefined }>;
  /** The folder of an export is there, unchanged. */
  markPresent(exportPath: string): TrackedExport | undefined;
  /** A whole scan did not find the folder of an export. Returns how often in a row. */
  countMissed(exportPath: string): number;
  forget(exportPath: string): void;
  /** Exports in which something could not be read when they were inspected. */
  waitedFor(): readonly string[];
  held(): readonly HeldFile[];
}

/** How many files change, how many entries are held or left out for a reason, and how many folders there are. */
interface Totals {
  changing: number;
  held: number;
  folders: number;
}

type TrackerOptions = Pick<
  WatchOptions,
  'clock' | 'events' | 'isComplete' | 'isClosed' | 'earlyEnds' | 'known' | 'settings' | 'extraFiles'
>;

/** Creates an empty tracker. */
export function createExportTracker(options: TrackerOptions): ExportTracker {
  const { clock, events } = options;
  const { settleSeconds } = options.settings;
  const records = new Map<string, ExportRecord>();
  const totals: Totals = { changing: 0, held: 0, folders: 0 };
  const unreadable = new Map<string, Failure>();

  function account(record: ExportRecord | undefined, sign: 1 | -1): void {
    if (record === undefined) return;
    totals.changing += sign * record.changing;
    totals.folders += sign * record.folders.size;
    totals.held += sign * (record.held + record.problems.length);
  }

  /** Recounts a record and adds it to the sums. */
  function enter(record: ExportRecord): void {
    recount(record);
    account(record, 1);
  }

  /** Files queued before a restart count as settled, so that only what has changed since is news. */
  function recordOf(inspected: InspectedExport): ExportRecord {
    return newRecord(inspected, options.known?.(inspected.ref) ?? new Map());
  }

  return {
    records,
    totals,
    noteUnreadable(exportPath, failure) {
      if (unreadable.get(exportPath)?.message !== failure.message)
        announceProblems(events, exportPath, [], [{ path: '', failure }]);
      if (!unreadable.has(exportPath)) totals.held += 1;
      unreadable.set(exportPath, failure);
      const record = records.get(exportPath);
      if (record !== undefined) record.missedScans = 0;
    },
    waitedFor() {
      const names = [...unreadable.keys()];
      for (const [name, record] of records) if (record.isWaitedFor && !unreadable.has(name)) names.push(name);
      return names;
    },
    async take(inspected, plannedMs, signal) {
      const { exportPath } = inspected.ref;
      if (unreadable.delete(exportPath)) totals.held -= 1;
      const former = records.get(exportPath);
      const isSame = former !== undefined && isSameFolder(former, inspected);
      const record = isSame ? former : recordOf(inspected);
      account(former, -1);
      records.set(exportPath, record);
      record.ref = inspected.ref;
      record.folders = inspected.folders;
      record.missedScans = 0;
      announceProblems(events, exportPath, record.problems, inspected.problems);
      record.problems = inspected.problems;
      for (const container of endedTooSoon(record, inspected.files, settleSeconds))
        options.earlyEnds?.wasWrong(container);
      const times = { atMs: clock.monotonic(), wallMs: clock.now() };
      const terms = { settleSeconds, lookIntervalMs: plannedMs };
      const quiet = await recordInspection(record, inspected, times, terms);
      enter(record);
      await proveClosed(record, options, signal);
      const early = endedEarly(record, quiet, times, settleSeconds);
      const settle = (file: FileSeen) => settleOne(record, file, options, signal);
      await inSlice([...quiet, ...early], settle, clock, signal);
      for (const { path } of early) markEarly(record, path);
      account(record, -1);
      enter(record);
      const isWaiting = record.changing > 0 || record.held > 0 || inspected.unseen.length > 0;
      record.stamps = isWaiting ? undefined : inspected.stamps;
      record.isWaitedFor = inspected.unseen.length > 0 || [...record.files.values()].some(isWaitedFor);
      return { record, replaced: isSame ? undefined : former };
    },
    markPresent(exportPath) {
      const record = records.get(exportPath);
      if (record !== undefined) record.missedScans = 0;
      return record;
    },
    countMissed(exportPath) {
      const record = records.get(exportPath);
      if (record === undefined) return 0;
      record.missedScans += 1;
      return record.missedScans;
    },
    forget(exportPath) {
      if (unreadable.delete(exportPath)) totals.held -= 1;
      account(records.get(exportPath), -1);
      records.delete(exportPath);
    },
    held: () => [
      ...[...unreadable].map(([folder, failure]) => ({ folder, file: '', failure })),
      ...[...records.values()].flatMap(heldIn),
    ],
  };
}

/** Reports once what is not accepted, and again only when it came back or changed its kind. */
export function announceProblems(
  events: AgentEvents,
  folder: string,
  before: readonly EntryProblem[],
  now: readonly EntryProblem[],
): void {
  const keyOf = (problem: EntryProblem): string => `${problem.failure.code} ${problem.path}`;
  const announced = new Set(before.map(keyOf));
  for (const problem of now)
    if (!announced.has(keyOf(problem))) announceHeld(events, folder, problem.path, problem.failure);
}

function announceHeld(events: AgentEvents, folder: string, file: string, failure: Failure): void {
  const { code, message, advice } = failure;
  events.emit({ event: 'file.held', folder, file, code, message, advice });
}

function isSameFolder(record: ExportRecord, { ref, inode }: InspectedExport): boolean {
  return isSameExport({ inode: record.inode, birthMs: record.ref.birthMs }, ref, inode);
}

const isWaitedFor = (state: FileState): boolean =>
  state.kind === 'held' && isFileWaitedFor(state.failure.code);

function heldIn(record: ExportRecord): readonly HeldFile[] {
  const folder = record.ref.exportPath;
  const held: HeldFile[] = record.problems.map(({ path, failure }) => ({ folder, file: path, failure }));
  if (record.held === 0) return held;
  for (const [file, state] of record.files) {
    if (state.kind === 'held') held.push({ folder, file, failure: state.failure });
  }
  return held;
}

/** Checks whether files that have just stopped changing are closed, if that would end their wait early. */
async function proveClosed(
  record: ExportRecord,
  { isClosed, settings, clock }: TrackerOptions,
  signal: AbortSignal,
): Promise<void> {
  const { settleSeconds } = settings;
  if (isClosed === undefined || settleSecondsFor(settleSeconds, true) === settleSeconds) return;
  const { rootPath, exportPath } = record.ref;
  const prove = async (state: FileState & { kind: 'changing' }): Promise<void> => {
    const { path } = state.seen;
    const isProven = await isClosed(join(rootPath, exportPath, path), state.seen).catch((error: unknown) => {
      unreadable(error, signal);
      return false;
    });
    setFile(record, path, { ...state, isClosed: isProven });
  };
  await inSlice(unproven(record), prove, clock, signal);
}

async function settleOne(
  record: ExportRecord,
  seen: FileSeen,
  options: TrackerOptions,
  signal: AbortSignal,
): Promise<void> {
  const { events } = options;
  const before = record.files.get(seen.path);
  if (before?.kind !== 'changing' && before?.kind !== 'held') return;
  const after: FileState =
    before.kind === 'changing' && before.isTemporary
      ? { kind: 'left-out', seen }
      : await judge(record.ref, before, options, signal);
  setFile(record, seen.path, after);
  const failure = failureOf(after);
  if (failure === undefined) return;
  if (before.kind === 'held' && before.failure.message === failure.message) return;
  announceHeld(events, record.ref.exportPath, seen.path, failure);
}

function failureOf(state: FileState): Failure | undefined {
  if (state.kind === 'held') return state.failure;
  const { path } = state.seen;
  return state.kind === 'left-out' && isUnfinishedClip(path) ? fileUnfinished(path) : undefined;
}

async function judge(
  { rootPath, exportPath }: ExportRef,
  before: FileState & { kind: 'changing' | 'held' },
  { isComplete, extraFiles }: TrackerOptions,
  signal: AbortSignal,
): Promise<FileState> {
  const { seen, seenAtMs } = before;
  const sinceMs = before.kind === 'held' ? before.sinceMs : before.observation.sinceMs;
  const held = (failure: Failure): FileState => ({ kind: 'held', seen, failure, sinceMs, seenAtMs });
  if (seen.sizeBytes === 0) return held(fileEmpty(seen.path));
  const path = join(rootPath, exportPath, seen.path);
  const check = await isComplete(path, seen).catch((error: unknown) => unreadable(error, signal));
  if (check.kind === 'incomplete') return held(fileIncomplete(seen.path, check.reason));
  if (check.kind === 'unreadable' && !isAboutFile(check.failure)) return before;
  // Its content is only read when it settles: until that works, its export is handed over without it
  if (check.kind === 'unreadable' && isFileWaitedFor(check.failure.code)) return held(check.failure);
  const content = check.kind === 'unreadable' ? undefined : check.content;
  const facts = factsOf(check);
  const known = { ...seen, seenAtMs, ...(content && { content }), ...(facts && { facts }) };
  const isSent = extraFiles !== undefined && isExtraFile(known, extraFiles, exportPath);
  return { kind: 'settled', seen: isSent ? asEvidence(known, true) : known };
}

/** Not for a root that is away, or a file that is gone or another one by now: there the next inspection decides. */
function isAboutFile({ code }: Failure): boolean {
  const { file } = agentPolicyOf(code);
  return policyOf(code).scope === 'clip' && file !== 'gone' && file !== 'changed';
}

function unreadable(error: unknown, signal: AbortSignal): ClipCheck {
  signal.throwIfAborted();
  if (error instanceof FailureError) return { kind: 'unreadable', failure: error.failure };
  throw error;
}
