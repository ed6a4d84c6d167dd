import { closeHints, followNewest, goOffline, goOnline } from './root-standing.ts';
import { enterLook, partWith } from './hand-over.ts';
import { lookIntervalMs } from '../core/settle/settle-rule.ts';
import { rescanDelayMs, SCANS_PER_DEEP_SCAN } from './pace.ts';
import type { ExportIdentity } from './root-identity.ts';
import { scanRoot, type RootScan, type ScanRequest } from './scan-root.ts';
import { announceProblems } from './settling-book.ts';
import { settledFileOf } from './export-record.ts';
import { rootMissing } from '../files/root-failures.ts';
import { scanSoon, type Watch } from './watch-state.ts';
import { join } from 'node:path';

/** Scans that must miss a folder before it counts as removed. */
const SCANS_UNTIL_REMOVED = 2;
/** Pause before the scan that confirms it, milliseconds: long enough for a rename or an unmount to be over. */
const CONFIRM_REMOVED_MS = 2_000;

/** Looks at the whole root: the truth, whatever the hints said. */
export async function scanAll(watch: Watch, signal: AbortSignal): Promise<void> {
  const { clock, rootPath, onlyExport } = watch.options;
  const workBeforeMs = watch.gate.workMs();
  watch.scanDueMs = Infinity;
  watch.hintCount = 0;
  const answer = await scanRoot(requestOf(watch, signal));
  if (!answer.ok) return goOffline(watch, answer.error);
  const isMissing = onlyExport !== undefined && watch.book.records.size + answer.value.present.size === 0;
  if (isMissing && watch.scanCount === 0) return goOffline(watch, rootMissing(join(rootPath, onlyExport)));
  await enterScan(watch, answer.value);
  const endedMs = clock.monotonic();
  watch.lastScanAt = clock.now();
  watch.lastScanEndMs = endedMs;
  watch.lastScanWorkMs = watch.gate.workMs() - workBeforeMs;
  watch.scanCount += 1;
  // Never further away than planned: scans that come more often than these looks would put them off for ever
  const { settleSeconds } = watch.options.settings;
  const plannedMs = Math.min(watch.looksDueMs, endedMs + watch.lookDelayMs);
  watch.looksDueMs = Math.max(plannedMs, endedMs + lookIntervalMs(settleSeconds));
  scanSoon(watch, rescanDelayMs(watch.rescanIntervalMs, watch.lastScanWorkMs, clock.random()));
}

async function enterScan(watch: Watch, scan: RootScan): Promise<void> {
  // the hints of a folder that was made anew still hang on the old one
  if (scan.standing === 'recreated') closeHints(watch);
  watch.identity = scan.identity;
  watch.isDeepNext = false;
  announceProblems(watch.options.events, '', watch.rootProblems, scan.problems);
  watch.rootProblems = scan.problems;
  await goOnline(watch);
  await noteMissing(watch, scan);
  followNewest(watch);
}

function requestOf(watch: Watch, signal: AbortSignal): ScanRequest {
  const { rootId, rootPath, onlyExport, clock } = watch.options;
  const { records } = watch.book;
  const isDeep = watch.isDeepNext || watch.scanCount % SCANS_PER_DEEP_SCAN === 0;
  return {
    gate: watch.gate,
    rootId,
    rootPath,
    onlyExport,
    memory: { identity: watch.identity, exports: identitiesOf(watch) },
    now: clock.now,
    stampsOf: (exportPath) => (isDeep ? undefined : records.get(exportPath)?.stamps),
    settledOf: (exportPath) => (isDeep ? undefined : settledFileOf(records.get(exportPath))),
    onExport: (answer) => enterLook(watch, answer, signal),
    signal,
  };
}

function identitiesOf(watch: Watch): ReadonlyMap<string, ExportIdentity> {
  const identities = new Map<string, ExportIdentity>();
  for (const [name, { inode, ref }] of watch.book.records)
    identities.set(name, { inode, birthMs: ref.birthMs });
  return identities;
}

/** Counts the scans that missed an export. In a root that was made anew, absence says nothing about the old one. */
async function noteMissing(watch: Watch, scan: RootScan): Promise<void> {
  for (const [name, record] of watch.book.records) {
    if (scan.present.has(name)) continue;
    record.missedScans += 1;
    const isForgotten = scan.standing === 'recreated';
    if (!isForgotten && record.missedScans < SCANS_UNTIL_REMOVED) {
      scanSoon(watch, CONFIRM_REMOVED_MS);
      continue;
    }
    watch.book.forget(name);
    watch.young.delete(name);
    watch.unreported.delete(record);
    if (!isForgotten) await partWith(watch, record);
  }
}
