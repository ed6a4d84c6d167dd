import { visibleName } from '../../../shared/lib/visible-name.ts';
import { isIgnoredFolderName } from '../core/naming/file-kinds.ts';
import { takesLoose } from '../core/settle/split-units.ts';
import { readEntries, statOf } from '../files/read-entries.ts';
import { systemErrorName } from '../system-errors.ts';
import type { ExportTracker } from './export-tracker.ts';
import { watchFolders, type FolderWatches } from './folder-watches.ts';
import type { ScanSchedule } from './schedule.ts';
import type { WatchOptions } from './watcher.ts';

/** More hints than this between two scans: the system has probably dropped some (its queue holds 16,384 events). */
const MOST_HINTS = 4_096;
/** Hints that something changed. They are only hints: the system drops events silently when there are many. */
export interface ChangeHints {
  /** Opens the watches unless they are open. `listed`: names that the scan under way inspects. */
  open(listed: readonly string[]): void;
  /** Closes the watches, which stay with the folder that was at the root's path when they were opened. */
  close(): void;
  /** Watches the newest exports closely, besides the names in the root itself. */
  followNewest(): void;
  /** A whole scan begins: it makes up for dropped hints. */
  scanBegins(): void;
}

interface Deps {
  readonly options: WatchOptions;
  readonly tracker: Pick<ExportTracker, 'records'>;
  readonly schedule: Pick<ScanSchedule, 'scanAfterOverflow' | 'scanAfterHintError'>;
  readonly onHint: (exportPath: string) => void;
  /** Ends the pause of the watcher's loop. */
  readonly wake: () => void;
  /** Default: that of this process. */
  readonly platform?: NodeJS.Platform;
}

/** Creates the hints of one root, closed. A pushed folder is watched alone, without the rest of its parent. */
export function createChangeHints(deps: Deps): ChangeHints {
  const { options, tracker, schedule, onHint, wake, platform = process.platform } = deps;
  const { clock, events, gate, logger, rootPath, onlyExport } = options;
  let watches: FolderWatches | undefined;
  let hintsSinceScan = 0;
  let listed: ReadonlySet<string> = new Set();
  let hasWarned = false;

  function noteHint(path: string, changes: number): void {
    const [name = ''] = path.split('/');
    const isOurs = onlyExport === undefined ? !isIgnoredFolderName(name) : name === onlyExport.split('/')[0];
    if (!isOurs) return;
    const exportPath = onlyExport ?? name;
    hintsSinceScan += changes;
    if (hintsSinceScan > MOST_HINTS) noteOverflow();
    const { unit } = options.settings;
    if (unit !== 'window') onHint(exportPath);
    // The change may be a loose file, or in one of several folders whose clips are taken together
    if (takesLoose(unit)) onHint('');
    wake();
  }

  function noteOverflow(): void {
    schedule.scanAfterOverflow();
    wake();
  }

  function noteError(error: unknown): void {
    const code = systemErrorName(error);
    logger.warn('Change notifications for a watched folder failed; scans continue', {
      rootPath,
      code,
      error,
    });
    if (code === 'ENOSPC') warnOnce();
    schedule.scanAfterHintError();
    wake();
  }

  /** Linux limits the watches of each account, and every program that watches folders uses some. */
  function warnOnce(): void {
    if (hasWarned) return;
    hasWarned = true;
    const folder = visibleName(rootPath);
    const message = `The system has no file watches left for ${folder}, so new exports are found only by scans, up to five minutes later. Raise fs.inotify.max_user_watches, then restart the agent.`;
    events.emit({ event: 'warning', code: 'WATCHES_USED_UP', message });
  }

  /** Exports that appeared between the scan's listing and the first hint would otherwise wait for the next scan. */
  async function hintAtNewFolders(): Promise<void> {
    const stats = await statOf(gate, rootPath);
    if (stats?.isDirectory() !== true) return;
    const { entries } = await readEntries(gate, rootPath, stats.size);
    for (const { name, kind } of entries)
      if (kind === 'directory' && !tracker.records.has(name) && !listed.has(name)) noteHint(name, 1);
  }

  return {
    open(names) {
      listed = new Set(names);
      watches ??= watchFolders({
        rootPath,
        onlyExport,
        platform,
        clock,
        onHint: noteHint,
        onOverflow: noteOverflow,
        onReady: () => void hintAtNewFolders().catch(noteError),
        onError: noteError,
      });
    },
    close() {
      // not awaited: on a dead share chokidar waits for its own reads
      watches
        ?.close()
        .catch((error: unknown) => logger.warn('Change notifications could not be closed', { error }));
      watches = undefined;
    },
    followNewest: () => watches?.follow(tracker.records),
    scanBegins() {
      hintsSinceScan = 0;
    },
  };
}
