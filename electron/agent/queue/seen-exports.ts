import { join } from 'node:path';
import { fsPromises } from '../files/plain-fs.ts';
import {
  MOST_SEEN_NAMES,
  needsPerson,
  type SeenFacts,
  type SeenState,
} from '../../../shared/domain/seen-export.ts';
import { knownFields } from '../../../shared/lib/known-fields.ts';
import { describeSeen } from '../core/settle/describe-seen.ts';
import type { ExportRef } from '../core/settle/file-seen.ts';
import type { AgentEvent, AgentEvents } from '../events.ts';
import type { RootGates } from '../files/root-gate.ts';
import type { Clock, Logger } from '../ports.ts';
import { parseSeenFacts } from '../store/json-columns.ts';
import type { SeenExportRow } from '../store/seen-export-rows.ts';
import type { Tables } from '../store/tables.ts';
import { createSeenRowWriter } from './seen-row-writer.ts';

/** The state of an export that is not completely in the queue. Times are milliseconds since 1970. */
export interface Standing {
  readonly state: SeenState;
  readonly sinceMs: number;
  readonly settlesAtMs: number | undefined;
  /** Equal as long as the files are. */
  readonly print: string;
  readonly facts: SeenFacts;
}

/**
 * Keeps track of the exports that were seen and are not completely in the queue: a row for each, written when its state
 * changes, never for a look that finds nothing new. The next scan restores whatever follows from the folders, so a row
 * may be lost with the last 50 ms before a kill.
 */
export interface SeenExports {
  /** Sets the state of an export; undefined: everything in it was queued, or is left out on purpose. */
  stands(ref: ExportRef, standing: Standing | undefined): void;
  /** Notes that its clips are being read: `done` of `total`. */
  reads(ref: ExportRef, read: NonNullable<SeenFacts['read']>): void;
  /** Notes the verdict: all clips belong to another incident (`copyOf`), or the export is an incident of its own. */
  judged(ref: ExportRef, files: readonly SizedFile[], copyOf: SeenFacts['copyOf']): void;
  /** Reading it found something that only a person can settle: the state lasts until the export is judged again. */
  needs(ref: ExportRef, state: 'held' | 'missing', facts: SeenFacts): void;
  /** A person ignores an export without a known clip: it is reported again when its files change. */
  dismiss(rootId: string, exportPath: string): void;
  /** A complete scan has seen the root: rows of exports that are gone are removed. */
  scanned(rootId: string, isThere: (exportPath: string) => boolean): void;
  /** A person named this folder and nothing watches its root: its row stays until the folder is gone. */
  pushed(rootId: string, exportPath: string): void;
  /**
   * Removes the rows that nothing maintains any more: those of roots other than these, except for pushed folders that
   * still exist.
   */
  keepOnly(watchedRootIds: ReadonlySet<string>): void;
  /** Writes pending changes immediately, if possible. */
  flush(): void;
  /** Resolves once all earlier changes are written. */
  stop(): Promise<void>;
}

interface SizedFile {
  readonly path: string;
  readonly sizeBytes: number;
}

interface Deps {
  readonly tables: Pick<Tables, 'seenExports' | 'incidents' | 'writeUnsynced' | 'held'>;
  readonly clock: Clock;
  readonly events: AgentEvents;
  readonly logger: Logger;
  readonly gates: Pick<RootGates, 'of'>;
  /** Makes the windows read the rows again. */
  readonly signals: { changed(subject: 'uploads' | 'health'): void };
}

/** What is remembered of an export besides its row. */
interface Known {
  readonly row: SeenExportRow;
  /** Whether it was reported since this start. */
  readonly isReported: boolean;
}

/** Creates the seen exports from the rows of the last run, which are valid until a look finds otherwise. */
export function createSeenExports(deps: Deps): SeenExports {
  const { tables, clock, events } = deps;
  const known = new Map<string, Known>(
    tables.seenExports.all().map((row) => [keyOf(row.rootId, row.exportPath), { row, isReported: false }]),
  );
  const pushedKeys = new Set<string>();
  const writer = createSeenRowWriter(deps);

  function put(row: SeenExportRow, facts: SeenFacts): void {
    const key = keyOf(row.rootId, row.exportPath);
    const before = known.get(key);
    const isSame = before !== undefined && isSameRow(before.row, row);
    known.set(key, { row, isReported: true });
    if (!isSame) writer.write(key, row);
    const isNews = before === undefined || !before.isReported || before.row.state !== row.state;
    if (isNews) events.emit(eventOf(row, facts));
  }

  function forget(rootId: string, exportPath: string): void {
    const key = keyOf(rootId, exportPath);
    if (!known.delete(key)) return;
    writer.write(key, { rootId, exportPath });
  }

  async function forgetIfGone(row: SeenExportRow): Promise<void> {
    if (await isMissing(deps.gates, row)) forget(row.rootId, row.exportPath);
  }

  function stands(ref: ExportRef, standing: Standing | undefined): void {
    const { rootId, rootPath, exportPath } = ref;
    const key = keyOf(rootId, exportPath);
    const before = known.get(key)?.row;
    // A copy was not queued: it stays until its folder changes or disappears
    if (standing === undefined && isJudgedRow(before)) return;
    if (standing === undefined || isEmptiedIncident(tables, ref, standing)) return forget(rootId, exportPath);
    // An earlier verdict is not reopened just because a restart sees the same files
    const isSameFiles = before?.print === standing.print;
    const isDismissed = before !== undefined && parseSeenFacts(before.facts).isDismissed === true;
    if (isSameFiles && isDismissed && isAskedAgain(standing.state)) return;
    const isJudged = before !== undefined && isLasting(before.state) && isSameFiles;
    if (isJudged && !needsPerson(standing.state)) return;
    // More of a large export settles while the part that settled earlier is read
    if (before?.state === 'reading' && standing.state === 'settling') return;
    const isSameState = before?.state === standing.state;
    const facts = placedFacts(ref, standing.facts);
    const row = {
      rootId,
      rootPath,
      exportPath,
      state: standing.state,
      since: isSameState ? before.since : Math.round(standing.sinceMs),
      settlesAt: standing.settlesAtMs === undefined ? null : Math.round(standing.settlesAtMs),
      print: standing.print,
      facts: JSON.stringify(facts),
      pushed: pushedKeys.has(key) ? 1 : 0,
    };
    put(row, facts);
  }

  return {
    stands,
    reads(ref, read) {
      const key = keyOf(ref.rootId, ref.exportPath);
      const before = known.get(key)?.row;
      stands(ref, {
        state: 'reading',
        sinceMs: clock.now(),
        settlesAtMs: undefined,
        print: before?.state === 'reading' ? before.print : 'reading',
        facts: { files: read.total, sizeBytes: 0, concerned: read.total - read.done, named: [], read },
      });
    },
    judged(ref, files, copyOf) {
      const { rootId, rootPath, exportPath } = ref;
      const key = keyOf(rootId, exportPath);
      const before = known.get(key)?.row;
      if (copyOf === undefined) return isJudgedRow(before) ? forget(rootId, exportPath) : undefined;
      const facts = placedFacts(ref, {
        files: files.length,
        sizeBytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
        concerned: files.length,
        named: files.slice(0, MOST_SEEN_NAMES).map(({ path }) => ({ path })),
        copyOf,
      });
      const since = before?.state === 'copy' ? before.since : clock.now();
      const place = { rootId, rootPath, exportPath, pushed: pushedKeys.has(key) ? 1 : 0 };
      const texts = { print: before?.print ?? '', facts: JSON.stringify(facts) };
      put({ ...place, ...texts, state: 'copy', since, settlesAt: null }, facts);
    },
    needs(ref, state, facts) {
      const { rootId, rootPath, exportPath } = ref;
      const key = keyOf(rootId, exportPath);
      const before = known.get(key)?.row;
      const since = before?.state === state ? before.since : clock.now();
      const place = { rootId, rootPath, exportPath, pushed: pushedKeys.has(key) ? 1 : 0 };
      const judged: SeenFacts = { ...placedFacts(ref, facts), isJudged: true };
      const texts = { print: before?.print ?? '', facts: JSON.stringify(judged) };
      put({ ...place, ...texts, state, since, settlesAt: null }, judged);
    },
    dismiss(rootId, exportPath) {
      const before = known.get(keyOf(rootId, exportPath))?.row;
      if (before?.state !== 'unrecognised') return;
      const facts = { ...parseSeenFacts(before.facts), isDismissed: true as const };
      put({ ...before, state: 'ignored', since: clock.now(), facts: JSON.stringify(facts) }, facts);
    },
    scanned(rootId, isThere) {
      for (const { row } of known.values())
        if (row.rootId === rootId && row.exportPath !== '' && !isThere(row.exportPath))
          forget(rootId, row.exportPath);
    },
    keepOnly(watchedRootIds) {
      const left = [...known.values()].filter(({ row }) => !watchedRootIds.has(row.rootId));
      for (const { row } of left) {
        if (row.pushed === 0) forget(row.rootId, row.exportPath);
        else void forgetIfGone(row);
      }
    },
    pushed: (rootId, exportPath) => void pushedKeys.add(keyOf(rootId, exportPath)),
    flush: writer.flush,
    stop: writer.stop,
  };
}

const placedFacts = ({ folder }: ExportRef, facts: SeenFacts): SeenFacts =>
  folder === undefined ? facts : { ...facts, isLoose: true };

/** False for a share that hangs: it says nothing about what is on it. */
async function isMissing(
  gates: Pick<RootGates, 'of'>,
  { rootPath, exportPath }: SeenExportRow,
): Promise<boolean> {
  const isAbsent = (path: string): Promise<boolean> =>
    fsPromises.stat(path).then(
      () => false,
      (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
    );
  return gates
    .of(rootPath)
    .run(() => isAbsent(join(rootPath, exportPath)))
    .catch(() => false);
}

/** Whether reading the export decided its state: that lasts until it is read again, whatever its names suggest. */
function isJudgedRow(row: SeenExportRow | undefined): boolean {
  return row !== undefined && (row.state === 'copy' || parseSeenFacts(row.facts).isJudged === true);
}

/** States that a restart finds for files it has not seen before, and the one that was dismissed. */
const isAskedAgain = (state: SeenState): boolean => !needsPerson(state) || state === 'unrecognised';

const isLasting = (state: SeenState): boolean => needsPerson(state) || state === 'copy';

const keyOf = (rootId: string, exportPath: string): string => `${rootId}/${exportPath}`;

/** Whether the folder's files were cleared away once they were sent: the rest of it needs nobody's attention. */
function isEmptiedIncident(
  { incidents }: Pick<Tables, 'incidents'>,
  { rootId, exportPath, birthMs }: ExportRef,
  { state }: Standing,
): boolean {
  return state === 'unrecognised' && incidents.byExport(rootId, exportPath, birthMs) !== undefined;
}

/** Two looks may compute the same time a little differently, from two clocks, milliseconds. */
const SAME_TIME_MS = 1_000;

function isSameRow(one: SeenExportRow, other: SeenExportRow): boolean {
  return (
    one.state === other.state &&
    Math.abs((one.settlesAt ?? 0) - (other.settlesAt ?? 0)) < SAME_TIME_MS &&
    one.print === other.print &&
    one.facts === other.facts &&
    one.pushed === other.pushed
  );
}

function eventOf(row: SeenExportRow, facts: SeenFacts): AgentEvent {
  const settlesAt = row.settlesAt === null ? undefined : new Date(row.settlesAt).toISOString();
  return {
    event: 'export.state',
    root: row.rootPath,
    folder: row.exportPath,
    state: row.state,
    since: new Date(row.since).toISOString(),
    ...knownFields<{ settlesAt?: string }>({ settlesAt }),
    files: facts.files,
    ...describeSeen(row.state, row.exportPath, facts),
  };
}
