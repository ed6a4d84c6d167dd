import type { Failure } from '../../../shared/domain/failure.ts';
import type { WatchSettings } from '../../../shared/domain/settings.ts';
import type { AgentEvents } from '../events.ts';
import type { Clock, Logger } from '../ports.ts';
import { lookIntervalMs } from '../core/settle/settle-rule.ts';
import type { ExportRecord } from './export-record.ts';
import type { Hints } from './hints.ts';
import type { EntryProblem } from '../files/inspect-export.ts';
import type { RootGate } from '../files/root-gate.ts';
import type { RootIdentity } from './root-identity.ts';
import { createSettlingBook, type SettlingBook } from './settling-book.ts';
import { createWaker, type Waker } from './waker.ts';
import type { CheckComplete, KnownFiles, OnExport } from './watch-types.ts';
import { measureWork, RESCAN_INTERVAL_MS, type MeasuredGate } from './pace.ts';

/** What a watcher of a root or of one folder works with. */
export interface WatchOptions {
  readonly rootId: string;
  readonly rootPath: string;
  /** The one folder that is watched; undefined: every folder of the root. */
  readonly onlyExport?: string;
  readonly settings: Pick<WatchSettings, 'settleSeconds'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly events: AgentEvents;
  readonly gate: RootGate;
  readonly isComplete: CheckComplete;
  readonly onExport: OnExport;
  readonly known?: KnownFiles;
  /** Awaited when the root was away and is seen whole again. Rejects: it counts as away until the next scan. */
  readonly onOnline?: () => Promise<void>;
  readonly rescanIntervalMs?: number;
}

/** Where one watch stands. Times ending in `DueMs` are monotonic. */
export interface Watch {
  readonly options: WatchOptions;
  readonly book: SettlingBook;
  readonly waker: Waker;
  readonly gate: MeasuredGate;
  readonly rescanIntervalMs: number;
  /** Why the root cannot be watched now. */
  offline: Failure | undefined;
  offlineAttempts: number;
  identity: RootIdentity | undefined;
  rootProblems: readonly EntryProblem[];
  hints: Hints | undefined;
  hintCount: number;
  scanCount: number;
  lastScanAt: number | undefined;
  lastScanEndMs: number;
  lastScanWorkMs: number;
  /** Look at settled files too at the next scan. */
  isDeepNext: boolean;
  scanDueMs: number;
  looksDueMs: number;
  lookDelayMs: number;
  /** Work of the last pass over settling files, milliseconds. */
  lookWorkMs: number;
  /** Exports that were hinted at, with the time of their look; Infinity: with the next look at settling files. */
  readonly hinted: Map<string, number>;
  /** Exports that appeared just now, until when they are looked at often: files may follow before hints work. */
  readonly young: Map<string, number>;
  /** Removed exports that were not handed over yet. */
  readonly farewells: ExportRecord[];
  /** Exports whose hand-over failed. */
  readonly unreported: Set<ExportRecord>;
  /** Looks that are being entered and handed over right now. */
  entering: number;
}

/** A watch that has seen nothing. */
export function newWatch(options: WatchOptions): Watch {
  const { clock, events, isComplete, settings } = options;
  const known = options.known ?? (() => new Map());
  return {
    options,
    book: createSettlingBook({ clock, events, isComplete, known, settleSeconds: settings.settleSeconds }),
    waker: createWaker(clock),
    gate: measureWork(options.gate, clock),
    rescanIntervalMs: options.rescanIntervalMs ?? RESCAN_INTERVAL_MS,
    offline: undefined,
    offlineAttempts: 0,
    identity: undefined,
    rootProblems: [],
    hints: undefined,
    hintCount: 0,
    scanCount: 0,
    lastScanAt: undefined,
    lastScanEndMs: -Infinity,
    lastScanWorkMs: 0,
    isDeepNext: true,
    scanDueMs: -Infinity,
    looksDueMs: Infinity,
    lookDelayMs: lookIntervalMs(settings.settleSeconds),
    lookWorkMs: 0,
    hinted: new Map(),
    young: new Map(),
    farewells: [],
    unreported: new Set(),
    entering: 0,
  };
}

/** Brings the next whole scan forward. */
export function scanSoon(watch: Watch, delayMs: number): void {
  watch.scanDueMs = Math.min(watch.scanDueMs, watch.options.clock.monotonic() + delayMs);
}

/** Exports that are to be looked at again and again: something in them is changing, or they are new. */
export function exportsInMotion(watch: Watch): readonly string[] {
  const names: string[] = [];
  for (const [name, record] of watch.book.records) {
    if (record.changing > 0 || watch.young.has(name)) names.push(name);
  }
  return names;
}
