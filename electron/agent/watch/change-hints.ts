import { watch, type FSWatcher } from 'chokidar';
import { isAbsolute, join, relative, sep } from 'node:path';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { isIgnoredFolderName } from '../core/naming/file-kinds.ts';
import { takesLoose } from '../core/settle/split-units.ts';
import { readEntries, statOf } from '../files/read-entries.ts';
import { systemErrorName } from '../system-errors.ts';
import type { ExportTracker } from './export-tracker.ts';
import type { ScanSchedule } from './schedule.ts';
import type { WatchOptions } from './watcher.ts';

/** Levels below an export that are watched; deeper changes are found by the rescan. */
const EXPORT_LEVELS = 1;
/** More hints than this between two scans: the system has probably dropped some (its queue holds 16,384 events). */
const MOST_HINTS = 4_096;
/** Most exports watched closely. Each needs system watches, of which an old desk has 8,192 for all programs. */
const MOST_FOLLOWED = 64;
/** A larger export is not watched closely: chokidar would read each of its files, which the scan does anyway. */
const MOST_FOLLOWED_FILES = 1_000;

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
}

/** Creates the hints of one root, closed. A pushed folder is watched alone, without the rest of its parent. */
export function createChangeHints({ options, tracker, schedule, onHint, wake }: Deps): ChangeHints {
  const { events, gate, logger, rootPath, onlyExport } = options;
  let watches: FolderWatches | undefined;
  let hintsSinceScan = 0;
  let listed: ReadonlySet<string> = new Set();
  let hasWarned = false;

  function noteHint(name: string): void {
    const isOurs = onlyExport === undefined ? !isIgnoredFolderName(name) : name === onlyExport.split('/')[0];
    if (!isOurs) return;
    const exportPath = onlyExport ?? name;
    hintsSinceScan += 1;
    if (hintsSinceScan > MOST_HINTS) schedule.scanAfterOverflow();
    const { unit } = options.settings;
    if (unit !== 'window') onHint(exportPath);
    // The change may be a loose file, or in one of several folders whose clips are taken together
    if (takesLoose(unit)) onHint('');
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
  async function hintAtNewcomers(): Promise<void> {
    const stats = await statOf(gate, rootPath);
    if (stats?.isDirectory() !== true) return;
    const { entries } = await readEntries(gate, rootPath, stats.size);
    for (const { name, kind } of entries)
      if (kind === 'directory' && !tracker.records.has(name) && !listed.has(name)) noteHint(name);
  }

  return {
    open(names) {
      listed = new Set(names);
      watches ??= watchFolders(rootPath, onlyExport === undefined, {
        onHint: noteHint,
        onReady: () => void hintAtNewcomers().catch(noteError),
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
    followNewest() {
      const small = [...tracker.records.values()].filter(({ files }) => files.size <= MOST_FOLLOWED_FILES);
      const newest = small.toSorted((one, other) => other.ref.mtimeMs - one.ref.mtimeMs);
      watches?.follow(newest.slice(0, MOST_FOLLOWED).map((record) => record.ref.exportPath));
    },
    scanBegins() {
      hintsSinceScan = 0;
    },
  };
}

interface FolderWatches {
  /** Watches exactly these exports closely. */
  follow(exportPaths: readonly string[]): void;
  close(): Promise<void>;
}

interface Listeners {
  readonly onHint: (exportPath: string) => void;
  /** The root is watched from now on: whatever appeared in it since it was listed gave no hint. */
  readonly onReady: () => void;
  readonly onError: (error: unknown) => void;
}

/** Each folder takes one watch, so only the root and a bounded number of exports are watched. */
function watchFolders(
  rootPath: string,
  watchesRoot: boolean,
  { onHint, onReady, onError }: Listeners,
): FolderWatches {
  const common = { ignoreInitial: true, followSymlinks: false, ignorePermissionErrors: true, atomic: false };
  const listen = (watcher: FSWatcher): FSWatcher =>
    watcher.on('error', onError).on('all', (_event, path) => {
      const exportPath = exportOf(rootPath, path);
      if (exportPath !== undefined) onHint(exportPath);
    });
  const rootWatcher = watchesRoot ? listen(watch(rootPath, { ...common, depth: 0 })) : undefined;
  rootWatcher?.once('ready', onReady);
  /** One for each: to leave a folder, a shared one would compare it with every file that it knows. */
  const followed = new Map<string, FSWatcher>();
  return {
    follow(exportPaths) {
      const wanted = new Set(exportPaths.map((exportPath) => join(rootPath, exportPath)));
      for (const [path, watcher] of followed) {
        if (wanted.has(path)) continue;
        followed.delete(path);
        watcher.close().catch(onError);
      }
      for (const path of wanted) {
        if (!followed.has(path)) followed.set(path, listen(watch(path, { ...common, depth: EXPORT_LEVELS })));
      }
    },
    async close() {
      const watchers = [...followed.values(), ...(rootWatcher === undefined ? [] : [rootWatcher])];
      await Promise.all(watchers.map((watcher) => watcher.close()));
    },
  };
}

/** The export that a path belongs to; undefined for the root itself and for paths outside it. */
function exportOf(rootPath: string, path: string): string | undefined {
  const inside = relative(rootPath, path);
  if (inside === '' || inside.startsWith('..') || isAbsolute(inside)) return undefined;
  return inside.split(sep)[0];
}
