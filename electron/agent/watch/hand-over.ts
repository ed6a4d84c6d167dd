import { needsReport, removedSnapshotOf, snapshotOf, type ExportRecord } from './export-record.ts';
import type { ExportAnswer } from '../files/look-at-export.ts';
import { scanSoon, type Watch } from './watch-state.ts';
import type { ExportSnapshot } from '../core/settle/file-seen.ts';

/** Pause before a hand-over that failed is tried again, milliseconds: a full disk does not empty itself at once. */
const RETRY_MS = 5_000;
/** A new export is looked at often for at least this long, milliseconds: its files follow the folder within seconds. */
const YOUNG_MS = 10_000;

/** Enters what a look saw and hands the export over when there is news. */
export async function enterLook(
  watch: Watch,
  answer: Exclude<ExportAnswer, { kind: 'root-failed' }>,
  signal: AbortSignal,
): Promise<void> {
  if (answer.kind === 'gone') return;
  watch.entering += 1;
  try {
    const record =
      answer.kind === 'seen' ? await takeLook(watch, answer, signal) : markPresent(watch, answer);
    if (record !== undefined) await report(watch, record);
  } finally {
    watch.entering -= 1;
  }
}

/** Parts with an export: whoever takes exports is told, when it knows of this one. */
export async function partWith(watch: Watch, record: ExportRecord): Promise<void> {
  watch.unreported.delete(record);
  if (record.isTold) watch.farewells.push(record);
  await reportFarewells(watch);
}

/** Tries again what could not be handed over. */
export async function reportPending(watch: Watch): Promise<void> {
  await reportFarewells(watch);
  for (const record of watch.unreported) await report(watch, record);
}

async function takeLook(
  watch: Watch,
  { look }: Extract<ExportAnswer, { kind: 'seen' }>,
  signal: AbortSignal,
): Promise<ExportRecord> {
  const { exportPath } = look.ref;
  const isNew = !watch.book.records.has(exportPath);
  const { record, replaced } = await watch.book.take(look, watch.lookDelayMs, signal);
  if (replaced !== undefined) await partWith(watch, replaced);
  // at the first scan all exports are new to the watch; those that were touched just now are new to the desk as well
  const isRecent = Math.abs(watch.options.clock.now() - look.ref.mtimeMs) < YOUNG_MS;
  if ((isNew || replaced !== undefined) && (watch.scanCount > 0 || isRecent)) {
    const youngMs = Math.max(YOUNG_MS, watch.options.settings.settleSeconds * 1_000);
    watch.young.set(exportPath, watch.options.clock.monotonic() + youngMs);
  }
  return record;
}

function markPresent(watch: Watch, answer: { readonly exportPath: string }): ExportRecord | undefined {
  const record = watch.book.records.get(answer.exportPath);
  if (record !== undefined) record.missedScans = 0;
  return record;
}

async function report(watch: Watch, record: ExportRecord): Promise<void> {
  if (!needsReport(record)) return;
  const snapshot = snapshotOf(record);
  if (!(await handOver(watch, snapshot))) {
    watch.unreported.add(record);
    return;
  }
  watch.unreported.delete(record);
  record.isTold = true;
  record.isDirty = false;
  record.toldUnsettled = snapshot.unsettledCount;
}

async function reportFarewells(watch: Watch): Promise<void> {
  for (let record = watch.farewells[0]; record !== undefined; record = watch.farewells[0]) {
    if (!(await handOver(watch, removedSnapshotOf(record)))) return;
    watch.farewells.shift();
  }
}

/** A hand-over that fails must not end the watch: it is said and tried again. */
async function handOver(watch: Watch, snapshot: ExportSnapshot): Promise<boolean> {
  try {
    await watch.options.onExport(snapshot);
    return true;
  } catch (error) {
    const { exportPath } = snapshot.ref;
    watch.options.logger.error('An export could not be handed over; it is tried again', {
      exportPath,
      error,
    });
    scanSoon(watch, RETRY_MS);
    return false;
  }
}
