import type { Failure } from '../../../shared/domain/failure.ts';
import { openHints } from './hints.ts';
import { lookIntervalMs } from '../core/settle/settle-rule.ts';
import { isIgnoredFolderName } from '../core/naming/file-kinds.ts';
import { errorCodeOf } from '../files/watch-failures.ts';
import { offlineDelayMs } from './pace.ts';
import { readEntries } from '../files/read-entries.ts';
import { statOf } from '../files/stat-entry.ts';
import { scanSoon, type Watch } from './watch-state.ts';

/** Hints come in bursts, one a write; a look this much later sees the whole burst, milliseconds. */
const DEBOUNCE_MS = 250;
/** More hints than this between two scans: the system has probably dropped some (its queue holds 16,384 events). */
const BURST_HINTS = 4_096;
/** Pause before the scan that makes up for dropped hints, milliseconds. */
const BURST_SCAN_MS = 2_000;
/** Least time between two scans that errors of the hints ask for, milliseconds. */
const ERROR_SCAN_MS = 10_000;
/** Exports watched closely. Each costs watches of the system, of which an old desk has 8,192 for all programs. */
const MOST_FOLLOWED = 64;
/** A larger export is not watched closely: chokidar looks at each of its files, which the scan does anyway. */
const MOST_FOLLOWED_FILES = 1_000;

/** The root cannot be reached: nothing is concluded, hints are closed, and it is tried again later and later. */
export function goOffline(watch: Watch, failure: Failure): void {
  const { clock, events, logger, rootPath } = watch.options;
  if (watch.offline?.code !== failure.code || watch.offline.message !== failure.message) {
    const { code, message } = failure;
    events.emit({ event: 'root.offline', root: rootPath, code, message });
    logger.warn('A watched folder is offline', { rootPath, code, detail: failure.detail });
  }
  watch.offline = failure;
  watch.offlineAttempts += 1;
  watch.isDeepNext = true;
  watch.hinted.clear();
  watch.scanDueMs = clock.monotonic() + offlineDelayMs(watch.offlineAttempts);
  closeHints(watch);
}

/** The root was seen whole. */
export async function goOnline(watch: Watch): Promise<void> {
  const { events, logger, rootPath, onOnline } = watch.options;
  if (watch.offline !== undefined) {
    await onOnline?.();
    events.emit({ event: 'root.online', root: rootPath });
    logger.info('A watched folder is online again', { rootPath });
  }
  watch.offline = undefined;
  watch.offlineAttempts = 0;
  watch.hints ??= startHints(watch);
}

/** Closes the hints; a new scan that succeeds opens them again. */
export function closeHints(watch: Watch): void {
  // not awaited: on a dead share chokidar waits for its own looks
  watch.hints
    ?.close()
    .catch((error: unknown) => watch.options.logger.warn('Closing hints failed', { error }));
  watch.hints = undefined;
}

/** Watches the newest exports closely. */
export function followNewest(watch: Watch): void {
  const small = [...watch.book.records.values()].filter((record) => record.files.size <= MOST_FOLLOWED_FILES);
  const newest = small.toSorted((one, other) => other.ref.mtimeMs - one.ref.mtimeMs).slice(0, MOST_FOLLOWED);
  watch.hints?.follow(newest.map((record) => record.ref.exportPath));
}

function startHints(watch: Watch): Watch['hints'] {
  const { rootPath, onlyExport } = watch.options;
  return openHints({
    rootPath,
    watchesRoot: onlyExport === undefined,
    onHint: (exportPath) => noteHint(watch, exportPath),
    onReady: () => void hintAtNewcomers(watch).catch((error: unknown) => noteHintError(watch, error)),
    onError: (error) => noteHintError(watch, error),
  });
}

/** Exports that came between the listing of the scan and the first hint would wait for the next scan. */
async function hintAtNewcomers(watch: Watch): Promise<void> {
  const { gate, rootPath } = watch.options;
  const stats = await statOf(gate, rootPath);
  if (stats?.isDirectory() !== true) return;
  const { entries } = await readEntries(gate, rootPath, stats.size);
  for (const { name, kind } of entries)
    if (kind === 'directory' && !watch.book.records.has(name)) noteHint(watch, name);
}

function noteHint(watch: Watch, exportPath: string): void {
  const { clock, onlyExport } = watch.options;
  const isOurs = onlyExport === undefined ? !isIgnoredFolderName(exportPath) : exportPath === onlyExport;
  if (!isOurs) return;
  watch.hintCount += 1;
  if (watch.hintCount > BURST_HINTS) scanSoon(watch, Math.max(BURST_SCAN_MS, watch.lastScanDurationMs * 10));
  const record = watch.book.records.get(exportPath);
  const dueMs = Math.max(clock.monotonic() + DEBOUNCE_MS, record?.hintsFromMs ?? 0);
  const isInMotion = record !== undefined && record.changing > 0;
  if (!watch.hinted.has(exportPath)) watch.hinted.set(exportPath, isInMotion ? Infinity : dueMs);
  watch.waker.wake();
}

function noteHintError(watch: Watch, error: unknown): void {
  const { clock, logger, rootPath } = watch.options;
  const waitMs = watch.lastScanEndMs + ERROR_SCAN_MS - clock.monotonic();
  logger.warn('Hints about a watched folder failed; scans go on', {
    rootPath,
    code: errorCodeOf(error),
    error,
  });
  scanSoon(watch, Math.max(lookIntervalMs(watch.options.settings.settleSeconds), waitMs));
  watch.waker.wake();
}
