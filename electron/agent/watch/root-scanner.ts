import { join } from 'node:path';
import type { Failure } from '../../../shared/domain/failure.ts';
import { takesLoose } from '../core/settle/split-units.ts';
import type { EntryProblem } from '../files/file-failures.ts';
import { rootMissing } from '../files/root-failures.ts';
import type { ChangeHints } from './change-hints.ts';
import type { SnapshotDelivery } from './deliver-snapshot.ts';
import type { ExportParts } from './export-parts.ts';
import { settledFileOf } from './export-record.ts';
import { standingOfLoose } from './export-standing.ts';
import { announceProblems, type ExportTracker } from './export-tracker.ts';
import type { Inspections } from './inspect-due.ts';
import { scanRoot, type RootIdentity, type RootScan, type ScanRequest } from './scan-root.ts';
import type { MeasuredGate, ScanSchedule } from './schedule.ts';
import type { WatchOptions } from './watcher.ts';

/** Scans that must miss a folder before it counts as removed. */
const SCANS_UNTIL_REMOVED = 2;
/** Pause before the scan that confirms it, milliseconds: long enough for a rename or an unmount to be over. */
const CONFIRM_REMOVED_MS = 2_000;

/** How often a long scan gives hinted and settling exports a turn, milliseconds. */
const TURN_MS = 200;

/** Scans a whole root, which overrides whatever hints said. Knows whether the root can be reached. */
export interface RootScanner {
  scan(signal: AbortSignal): Promise<void>;
  /** Why the root cannot be watched now. */
  failure(): Failure | undefined;
  /** It was seen whole, and has not been away since. */
  isOnline(): boolean;
  /** Loose files, links, unreadable names in the root itself. */
  problems(): readonly EntryProblem[];
}

interface Deps {
  readonly options: WatchOptions;
  readonly gate: MeasuredGate;
  readonly tracker: ExportTracker;
  readonly parts: ExportParts;
  readonly delivery: SnapshotDelivery;
  readonly inspections: Inspections;
  readonly hints: ChangeHints;
  readonly schedule: ScanSchedule;
  /** Inspects what is due because of hints or settling files. */
  readonly inspectDue: (signal: AbortSignal) => Promise<void>;
}

/** Creates the scanner of one root, before its first scan. */
export function createRootScanner(deps: Deps): RootScanner {
  const { options, tracker, parts, delivery, inspections, hints, schedule } = deps;
  const { events, logger, rootPath, onlyExport } = options;
  let failure: Failure | undefined;
  let identity: RootIdentity | undefined;
  let problems: readonly EntryProblem[] = [];

  /**
   * The root, or the one folder that is watched, cannot be reached: nothing is concluded, hints are closed, and it is
   * retried with growing pauses.
   */
  function goOffline(reason: Failure, isRoot = true): void {
    const { code, message, advice, detail } = reason;
    if (failure?.code !== code || failure.message !== message) {
      events.emit({ event: 'root.offline', root: rootPath, code, message, advice });
      logger.warn('A watched folder is offline', { rootPath, code, detail });
    }
    failure = reason;
    // Everything else in the root can still be read
    if (isRoot) options.gate.setProblem(reason);
    inspections.clearHints();
    hints.close();
    schedule.failed();
  }

  /** The root was seen whole. */
  async function goOnline(): Promise<void> {
    options.gate.setProblem(undefined);
    if (failure !== undefined) {
      await options.onOnline?.();
      events.emit({ event: 'root.online', root: rootPath });
      logger.info('A watched folder is online again', { rootPath });
    }
    failure = undefined;
  }

  /** From here on new exports give hints: in a large root on a busy disk, the rest of the scan takes a minute. */
  function startHints(standing: RootScan['standing'], names: readonly string[]): void {
    // The hints of a recreated folder still belong to the old one
    if (standing === 'recreated') hints.close();
    hints.open(names);
    inspections.scanBegins();
  }

  async function enter(scan: RootScan, before: ReadonlySet<string>): Promise<void> {
    identity = scan.identity;
    announceProblems(events, '', problems, scan.problems);
    problems = scan.problems;
    await goOnline();
    await noteMissing(scan, before);
    noteStandings(scan);
    hints.followNewest();
  }

  /** A pushed folder says nothing about its neighbours. */
  function noteStandings({ present, loose }: RootScan): void {
    const { rootId, standings, clock } = options;
    if (onlyExport !== undefined) return;
    const ref = { rootId, rootPath, exportPath: '', birthMs: 0, mtimeMs: 0 };
    // Loose files that are incidents have a standing of their own
    const isOwn = takesLoose(options.settings.unit);
    if (!isOwn || !parts.has(''))
      standings?.stands(ref, isOwn ? undefined : standingOfLoose(loose, clock.now()));
    const isThere = (name: string): boolean =>
      present.has(name) || tracker.records.has(name) || parts.has(name);
    standings?.scanned(rootId, isThere);
    options.growth?.scanned(rootId, isThere);
  }

  /**
   * Counts the scans that missed an export which was known `before`. In a recreated root, absence says nothing about
   * the old one.
   */
  async function noteMissing({ present, standing }: RootScan, before: ReadonlySet<string>): Promise<void> {
    const isForgotten = standing === 'recreated';
    for (const [name, record] of tracker.records) {
      if (present.has(name) || !before.has(name)) continue;
      const missedScans = tracker.countMissed(name);
      if (!isForgotten && missedScans < SCANS_UNTIL_REMOVED) {
        schedule.scanWithin(CONFIRM_REMOVED_MS);
        continue;
      }
      tracker.forget(name);
      inspections.forget(name);
      for (const part of parts.drop(record)) {
        if (isForgotten) delivery.forget(part);
        else await delivery.reportRemoved(part);
      }
    }
  }

  return {
    async scan(signal) {
      hints.scanBegins();
      const { isDeep } = schedule.begin();
      const before = new Set(tracker.records.keys());
      const answer = await scanRoot({ ...requestOf(deps, identity, isDeep, signal), onListed: startHints });
      if (!answer.ok) return goOffline(answer.error);
      const isMissing = onlyExport !== undefined && tracker.records.size + answer.value.present.size === 0;
      if (isMissing && schedule.scanCount() === 0)
        return goOffline(rootMissing(join(rootPath, onlyExport)), false);
      await enter(answer.value, before);
      schedule.succeeded();
      inspections.scanEnded();
    },
    failure: () => failure,
    isOnline: () => failure === undefined && schedule.scanCount() > 0,
    problems: () => problems,
  };
}

function requestOf(
  { options, gate, tracker, inspections, inspectDue }: Deps,
  identity: RootIdentity | undefined,
  isDeep: boolean,
  signal: AbortSignal,
): ScanRequest {
  const { rootId, rootPath, onlyExport, settings, isTaken, clock } = options;
  const { records } = tracker;
  const exports = [...records].map(
    ([name, { inode, ref }]) => [name, { inode, birthMs: ref.birthMs }] as const,
  );
  let turnDueMs = clock.monotonic() + TURN_MS;
  return {
    gate,
    rootId,
    rootPath,
    onlyExport,
    unit: settings.unit,
    isTaken: (name) => isTaken?.(rootId, name) ?? false,
    memory: { identity, exports: new Map(exports) },
    now: clock.now,
    stampsOf: (exportPath) => (isDeep ? undefined : records.get(exportPath)?.stamps),
    settledOf: (exportPath) => (isDeep ? undefined : settledFileOf(records.get(exportPath))),
    async onExport(answer) {
      await inspections.takeIn(answer, signal);
      if (clock.monotonic() < turnDueMs) return;
      await inspectDue(signal);
      turnDueMs = clock.monotonic() + TURN_MS;
    },
    signal,
  };
}
