import type { AgentEvents } from '../events.ts';
import { settleQuiet, type SettlingOptions } from './check-quiet.ts';
import { newRecord, recount, type ExportRecord } from './export-record.ts';
import type { InspectedExport } from '../files/inspect-export.ts';
import { noteLook } from './note-look.ts';
import type { EntryProblem } from '../files/inspect-export.ts';
import { isSameExport } from './root-identity.ts';
import type { HeldFile, KnownFiles } from './watch-types.ts';

/** Remembers how far the files of all exports of one root have settled. In memory: a restart looks again. */
export interface SettlingBook {
  readonly records: ReadonlyMap<string, ExportRecord>;
  /** Sums over all records, kept up to date: they are asked for many times a second. */
  readonly totals: Readonly<BookTotals>;
  /** Takes in one look, checks what has gone quiet, and answers the record, plus the one it replaced. */
  take(look: InspectedExport, lookIntervalMs: number, signal?: AbortSignal): Promise<Taken>;
  forget(exportPath: string): void;
  held(): readonly HeldFile[];
}

/** How many files change, and how many entries are held or left out for a reason. */
export interface BookTotals {
  changing: number;
  held: number;
}

/** `replaced`: another folder of the same name stood here before. */
export interface Taken {
  readonly record: ExportRecord;
  readonly replaced: ExportRecord | undefined;
}

/** Makes an empty book. */
export function createSettlingBook(options: SettlingOptions): SettlingBook {
  const records = new Map<string, ExportRecord>();
  const totals: BookTotals = { changing: 0, held: 0 };

  function account(record: ExportRecord | undefined, sign: 1 | -1): void {
    if (record === undefined) return;
    totals.changing += sign * record.changing;
    totals.held += sign * (record.held + record.problems.length);
  }

  /** Counts a record anew while it is not part of the sums. */
  function enter(record: ExportRecord): void {
    recount(record);
    account(record, 1);
  }

  async function take(look: InspectedExport, lookIntervalMs: number, signal?: AbortSignal): Promise<Taken> {
    const { exportPath } = look.ref;
    const former = records.get(exportPath);
    const isSame = former !== undefined && isSameFolder(former, look);
    const record = isSame ? former : recordFromKnown(look, options.known);
    account(former, -1);
    records.set(exportPath, record);
    record.ref = look.ref;
    record.missedScans = 0;
    announceProblems(options.events, exportPath, record.problems, look.problems);
    record.problems = look.problems;
    const { clock, settleSeconds } = options;
    const times = { atMs: clock.monotonic(), wallMs: clock.now() };
    const quiet = noteLook(record, look, times, { settleSeconds, lookIntervalMs });
    enter(record);
    await settleQuiet(record, quiet, options, signal);
    account(record, -1);
    enter(record);
    const isWaiting = record.changing > 0 || record.held > 0 || look.unseen.length > 0;
    record.stamps = isWaiting ? undefined : look.stamps;
    return { record, replaced: isSame ? undefined : former };
  }

  return {
    records,
    totals,
    take,
    forget(exportPath) {
      account(records.get(exportPath), -1);
      records.delete(exportPath);
    },
    held: () => [...records.values()].flatMap(heldIn),
  };
}

/** Says once what is not taken, and again only when it came back or changed its kind. */
export function announceProblems(
  events: AgentEvents,
  folder: string,
  before: readonly EntryProblem[],
  now: readonly EntryProblem[],
): void {
  const keyOf = (problem: EntryProblem): string => `${problem.failure.code} ${problem.path}`;
  const said = new Set(before.map(keyOf));
  for (const problem of now) {
    const { code, message } = problem.failure;
    if (!said.has(keyOf(problem)))
      events.emit({ event: 'file.held', folder, file: problem.path, code, message });
  }
}

function isSameFolder(record: ExportRecord, look: InspectedExport): boolean {
  return isSameExport({ inode: record.inode, birthMs: record.ref.birthMs }, look.ref, look.inode);
}

/** Files taken before a restart stand as settled, so that only what differs from then is news. */
function recordFromKnown(look: InspectedExport, known: KnownFiles): ExportRecord {
  const record = newRecord(look.ref, look.inode);
  for (const [path, version] of known(look.ref)) {
    const seen = { path, kind: 'file', links: 1, ...version } as const;
    record.files.set(path, { kind: 'settled', seen });
  }
  record.isTold = record.files.size > 0;
  return record;
}

function heldIn(record: ExportRecord): readonly HeldFile[] {
  const folder = record.ref.exportPath;
  const held: HeldFile[] = record.problems.map(({ path, failure }) => ({ folder, file: path, failure }));
  if (record.held === 0) return held;
  for (const [file, state] of record.files) {
    if (state.kind === 'held') held.push({ folder, file, failure: state.failure });
  }
  return held;
}
