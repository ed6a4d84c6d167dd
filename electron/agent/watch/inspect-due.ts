import type { ExportRef } from '../core/settle/file-seen.ts';
import { lookIntervalMs, settleSecondsFor } from '../core/settle/settle-rule.ts';
import { isLooseTree } from '../core/settle/split-units.ts';
import { inspectExport, type Inspection } from '../files/inspect-export.ts';
import type { SnapshotDelivery } from './deliver-snapshot.ts';
import type { ExportParts } from './export-parts.ts';
import { settledFileOf, type TrackedExport } from './export-record.ts';
import { mayEndSoon } from './early-end.ts';
import type { ExportTracker } from './export-tracker.ts';
import { hintRestMs, passPauseMs, type MeasuredGate, type ScanSchedule } from './schedule.ts';
import type { WatchOptions } from './watcher.ts';

/** Hints come in bursts, one per write; an inspection this much later sees the whole burst, milliseconds. */
const DEBOUNCE_MS = 250;
/** A new export is inspected often for at least this long, milliseconds: its files follow the folder within seconds. */
const RECENT_MS = 10_000;
/** Exports in which something could not be read are inspected again after this long, milliseconds. */
const RECHECK_MS = 30_000;

/** Inspects single exports between whole scans: those hinted at, and those in which something is settling. */
export interface Inspections {
  /** Something changed in this export. */
  hint(exportPath: string): void;
  hasHints(): boolean;
  clearHints(): void;
  /** When the next inspection is due, on the monotonic clock, milliseconds; Infinity: never. */
  dueMs(): number;
  /** Returns the exports that were inspected. */
  inspectHinted(signal: AbortSignal): Promise<ReadonlySet<string>>;
  /** When due, inspects the exports in which something could not be read. */
  recheck(signal: AbortSignal): Promise<void>;
  /** When due, inspects the exports in which something is settling, and the new ones, except those `done`. */
  inspectSettling(done: ReadonlySet<string>, signal: AbortSignal): Promise<void>;
  /** Records what an inspection or a scan saw of an export, and hands the export over when there is news. */
  takeIn(answer: Exclude<Inspection, { kind: 'root-failed' }>, signal: AbortSignal): Promise<void>;
  /** Whether something that was seen is being checked or handed over right now. */
  isTakingIn(): boolean;
  /** The export is gone. */
  forget(exportPath: string): void;
  /** A whole scan starts inspecting one export after the other. */
  scanBegins(): void;
  /** A whole scan has just seen everything. */
  scanEnded(): void;
}

interface Deps {
  readonly options: WatchOptions;
  readonly gate: MeasuredGate;
  readonly tracker: ExportTracker;
  readonly parts: ExportParts;
  readonly delivery: SnapshotDelivery;
  readonly schedule: ScanSchedule;
}

/** Creates the inspections of one root; nothing is due before its first scan begins. */
export function createInspections({ options, gate, tracker, parts, delivery, schedule }: Deps): Inspections {
  const { clock, rootId, rootPath, settings } = options;
  const longIntervalMs = lookIntervalMs(settings.settleSeconds);
  const soonSeconds = settleSecondsFor(settings.settleSeconds, true);
  const shortIntervalMs = lookIntervalMs(soonSeconds);
  /** How long a closed file takes to settle, milliseconds. */
  const soonMs = soonSeconds * 1_000 + shortIntervalMs;
  /** Exports hinted at, with the time of their inspection; Infinity: with the next pass over settling files. */
  const hinted = new Map<string, number>();
  /** Monotonic time until which hints about an export are deferred. */
  const restingUntil = new WeakMap<TrackedExport, number>();
  /** Exports that have just appeared, and until when they are inspected often: files may follow before hints work. */
  const recentlyCreated = new Map<string, number>();
  let passDueMs = Infinity;
  let lastPass = { pauseMs: longIntervalMs, workMs: 0 };
  let isTakingIn = false;
  let recheckDueMs = Infinity;

  function takeDueHints(): ReadonlySet<string> {
    const nowMs = clock.monotonic();
    const due = new Set<string>();
    for (const [exportPath, dueMs] of hinted) {
      if (dueMs <= nowMs || (nowMs >= passDueMs && dueMs === Infinity)) due.add(exportPath);
    }
    for (const exportPath of due) hinted.delete(exportPath);
    return due;
  }

  /** Shorter while something may be closed soon: an early end needs that many looks. */
  function intervalMs(): number {
    const nowMs = clock.monotonic();
    for (const record of tracker.records.values())
      if (mayEndSoon(record, nowMs, soonMs)) return shortIntervalMs;
    return longIntervalMs;
  }

  function inMotion(): readonly string[] {
    const names: string[] = [];
    for (const [name, record] of tracker.records)
      if (record.changing > 0 || recentlyCreated.has(name)) names.push(name);
    return names;
  }

  async function inspect(exportPath: string, isDeep: boolean, signal: AbortSignal): Promise<void> {
    const record = tracker.records.get(exportPath);
    const settled = isDeep ? undefined : settledFileOf(record);
    const nowMs = clock.now();
    const isShallow = isLooseTree(settings.unit, exportPath);
    const place = { rootId, rootPath, exportPath, isShallow };
    const answer = await inspectExport({ gate, ...place, nowMs, settled, signal });
    // Only a whole scan can tell a removed export from a root that went away
    if (answer.kind === 'root-failed' || (answer.kind === 'gone' && record !== undefined))
      schedule.scanWithin(0);
    else await takeIn(answer, signal);
  }

  async function takeIn(answer: Parameters<Inspections['takeIn']>[0], signal: AbortSignal): Promise<void> {
    if (answer.kind === 'gone') return;
    if (answer.kind === 'unreadable') tracker.noteUnreadable(answer.exportPath, answer.failure);
    if (answer.kind === 'unreadable') return;
    isTakingIn = true;
    try {
      const record =
        answer.kind === 'seen' ? await track(answer.seen, signal) : tracker.markPresent(answer.exportPath);
      if (record === undefined) return;
      for (const part of parts.of(record)) await delivery.report(part);
    } finally {
      isTakingIn = false;
    }
  }

  async function track(
    seen: Parameters<ExportTracker['take']>[0],
    signal: AbortSignal,
  ): Promise<TrackedExport> {
    const isNew = !tracker.records.has(seen.ref.exportPath);
    const plannedMs = lastPass.pauseMs + lastPass.workMs;
    const { record, replaced } = await tracker.take(seen, plannedMs, signal);
    if (replaced !== undefined) await reportRemoved(parts.drop(replaced));
    await reportRemoved(parts.divide(record));
    if (isNew || replaced !== undefined) noteCreated(seen.ref);
    return record;
  }

  async function reportRemoved(gone: readonly TrackedExport[]): Promise<void> {
    for (const part of gone) await delivery.reportRemoved(part);
  }

  /** At the first scan all exports are new to the watch; only those touched just now are new to the desk as well. */
  function noteCreated({ exportPath, mtimeMs }: ExportRef): void {
    const isRecent = Math.abs(clock.now() - mtimeMs) < RECENT_MS;
    if (schedule.scanCount() === 0 && !isRecent) return;
    recentlyCreated.set(exportPath, clock.monotonic() + Math.max(RECENT_MS, settings.settleSeconds * 1_000));
  }

  return {
    hint(exportPath) {
      if (hinted.has(exportPath)) return;
      const record = tracker.records.get(exportPath);
      const nowMs = clock.monotonic();
      if (record !== undefined && record.changing > 0) {
        hinted.set(exportPath, Infinity);
        // The writer may have closed a clip just now, after a quiet time in which passes became rare
        if (mayEndSoon(record, nowMs, Infinity))
          passDueMs = Math.min(passDueMs, nowMs + passPauseMs(shortIntervalMs, lastPass.workMs));
        return;
      }
      const restsUntilMs = record === undefined ? 0 : (restingUntil.get(record) ?? 0);
      hinted.set(exportPath, Math.max(nowMs + DEBOUNCE_MS, restsUntilMs));
    },
    hasHints: () => hinted.size > 0,
    clearHints: () => hinted.clear(),
    dueMs() {
      const isWaiting = hinted.size > 0 || inMotion().length > 0;
      let dueMs = Math.min(recheckDueMs, isWaiting ? passDueMs : Infinity);
      for (const hintDueMs of hinted.values()) dueMs = Math.min(dueMs, hintDueMs);
      return dueMs;
    },
    async inspectHinted(signal) {
      const due = takeDueHints();
      for (const exportPath of due) {
        const workBeforeMs = gate.workMs();
        await inspect(exportPath, true, signal);
        const record = tracker.records.get(exportPath);
        if (record !== undefined)
          restingUntil.set(record, clock.monotonic() + hintRestMs(gate.workMs() - workBeforeMs));
      }
      return due;
    },
    async recheck(signal) {
      const waitedFor = tracker.waitedFor();
      if (waitedFor.length === 0) recheckDueMs = Infinity;
      else if (recheckDueMs === Infinity) recheckDueMs = clock.monotonic() + RECHECK_MS;
      if (clock.monotonic() < recheckDueMs) return;
      const workBeforeMs = gate.workMs();
      for (const exportPath of waitedFor) await inspect(exportPath, false, signal);
      const restMs = hintRestMs(gate.workMs() - workBeforeMs);
      recheckDueMs = clock.monotonic() + Math.max(RECHECK_MS, restMs);
    },
    async inspectSettling(done, signal) {
      if (clock.monotonic() < passDueMs) return;
      const workBeforeMs = gate.workMs();
      for (const exportPath of inMotion()) {
        if (!done.has(exportPath)) await inspect(exportPath, false, signal);
      }
      const endedMs = clock.monotonic();
      for (const [exportPath, untilMs] of recentlyCreated)
        if (untilMs <= endedMs) recentlyCreated.delete(exportPath);
      const workMs = gate.workMs() - workBeforeMs;
      lastPass = { workMs, pauseMs: passPauseMs(intervalMs(), workMs) };
      passDueMs = endedMs + lastPass.pauseMs;
    },
    takeIn,
    isTakingIn: () => isTakingIn,
    forget: (exportPath) => void recentlyCreated.delete(exportPath),
    scanBegins: () => void (passDueMs = Math.min(passDueMs, clock.monotonic() + lastPass.pauseMs)),
    scanEnded() {
      // Never later than planned: scans that are more frequent than passes would defer them forever
      const endedMs = clock.monotonic();
      const leastMs = intervalMs();
      lastPass = { ...lastPass, pauseMs: passPauseMs(leastMs, lastPass.workMs) };
      passDueMs = Math.max(Math.min(passDueMs, endedMs + lastPass.pauseMs), endedMs + leastMs);
    },
  };
}
