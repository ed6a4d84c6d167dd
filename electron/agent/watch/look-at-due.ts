import { enterLook } from './hand-over.ts';
import { settledFileOf } from './export-record.ts';
import { inspectExport } from '../files/inspect-export.ts';
import { lookIntervalMs } from '../core/settle/settle-rule.ts';
import { hintRestMs, lookDelayMs } from './pace.ts';
import { followNewest } from './root-standing.ts';
import { exportsInMotion, scanSoon, type Watch } from './watch-state.ts';

/** Looks at the exports that were hinted at and, when it is their time, at those in which files settle. */
export async function lookAtDue(watch: Watch, signal: AbortSignal): Promise<void> {
  const startedMs = watch.options.clock.monotonic();
  const hinted = takeDueHints(watch, startedMs);
  const { records } = watch.book;
  const countBefore = records.size;
  for (const exportPath of hinted) await lookAtHinted(watch, exportPath, signal);
  if (records.size !== countBefore) followNewest(watch);
  if (startedMs >= watch.looksDueMs) await lookAtMoving(watch, hinted, signal);
}

function takeDueHints(watch: Watch, nowMs: number): ReadonlySet<string> {
  const areLooksDue = nowMs >= watch.looksDueMs;
  const due = new Set<string>();
  for (const [exportPath, dueMs] of watch.hinted) {
    if (dueMs <= nowMs || (areLooksDue && dueMs === Infinity)) due.add(exportPath);
  }
  for (const exportPath of due) watch.hinted.delete(exportPath);
  return due;
}

async function lookAtHinted(watch: Watch, exportPath: string, signal: AbortSignal): Promise<void> {
  const { clock } = watch.options;
  const workBeforeMs = watch.gate.workMs();
  await lookAtOne(watch, exportPath, true, signal);
  const record = watch.book.records.get(exportPath);
  if (record === undefined) return;
  const endedMs = clock.monotonic();
  record.hintsFromMs = endedMs + hintRestMs(watch.gate.workMs() - workBeforeMs);
  // what settles is looked at from now on, not only after the next scan
  if (watch.looksDueMs === Infinity) watch.looksDueMs = endedMs + watch.lookDelayMs;
}

async function lookAtMoving(watch: Watch, done: ReadonlySet<string>, signal: AbortSignal): Promise<void> {
  const { clock, settings } = watch.options;
  const workBeforeMs = watch.gate.workMs();
  for (const exportPath of exportsInMotion(watch)) {
    if (!done.has(exportPath)) await lookAtOne(watch, exportPath, false, signal);
  }
  const endedMs = clock.monotonic();
  for (const [exportPath, untilMs] of watch.young) if (untilMs <= endedMs) watch.young.delete(exportPath);
  watch.lookWorkMs = watch.gate.workMs() - workBeforeMs;
  watch.lookDelayMs = lookDelayMs(lookIntervalMs(settings.settleSeconds), watch.lookWorkMs);
  watch.looksDueMs = endedMs + watch.lookDelayMs;
}

async function lookAtOne(
  watch: Watch,
  exportPath: string,
  isDeep: boolean,
  signal: AbortSignal,
): Promise<void> {
  const { rootId, rootPath, clock } = watch.options;
  const record = watch.book.records.get(exportPath);
  const settled = isDeep ? undefined : settledFileOf(record);
  const request = { gate: watch.gate, rootId, rootPath, exportPath, nowMs: clock.now(), settled, signal };
  const answer = await inspectExport(request);
  // only a whole scan tells a removed export from a root that went away
  if (answer.kind === 'root-failed' || (answer.kind === 'gone' && record !== undefined)) scanSoon(watch, 0);
  else await enterLook(watch, answer, signal);
}
