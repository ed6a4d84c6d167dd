import { watch, type FSWatcher } from 'chokidar';
import { isAbsolute, join, relative, sep } from 'node:path';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { isIgnoredFolderName } from '../core/naming/file-kinds.ts';
import { takesLoose } from '../core/settle/split-units.ts';
import { fs } from '../files/plain-fs.ts';
import { readEntries, statOf } from '../files/read-entries.ts';
import type { Clock } from '../ports.ts';
import { systemErrorName } from '../system-errors.ts';
import type { ExportTracker } from './export-tracker.ts';
import type { ScanSchedule } from './schedule.ts';
import type { WatchOptions } from './watcher.ts';

/** More hints than this between two scans: the system has probably dropped some (its queue holds 16,384 events). */
const MOST_HINTS = 4_096;
/** Most folders watched closely. Each is a watch of the system's, of which an old desk has 8,192 for all programs. */
const MOST_FOLLOWED = 256;
/** Changes in an export within this time are one hint, milliseconds: a writer causes hundreds a second. */
const GATHER_MS = 50;

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
      if (kind === 'directory' && !tracker.records.has(name) && !listed.has(name)) noteHint(name, 1);
  }

  return {
    open(names) {
      listed = new Set(names);
      watches ??= watchFolders(rootPath, onlyExport === undefined, clock, {
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
    followNewest: () => watches?.follow(newestFolders(rootPath, tracker.records)),
    scanBegins() {
      hintsSinceScan = 0;
    },
  };
}

interface FolderWatches {
  /** Watches exactly these folders closely. */
  follow(folders: readonly FollowedFolder[]): void;
  close(): Promise<void>;
}

/** A folder to watch closely, and the export to which its changes belong. */
interface FollowedFolder {
  readonly path: string;
  /** A folder that was recreated since needs a new watch. */
  readonly birthMs: number;
  readonly exportPath: string;
}

interface Listeners {
  /** `changes`: how many entries appeared, were renamed or went. */
  readonly onHint: (exportPath: string, changes: number) => void;
  /** The root is watched from now on: whatever appeared in it since it was listed gave no hint. */
  readonly onReady: () => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Watches the names in the root, and follows folders in it. A followed folder is one watch of the system's, which also
 * tells of writes into its files; chokidar would read the folder and watch each file.
 */
function watchFolders(
  rootPath: string,
  watchesRoot: boolean,
  clock: Clock,
  { onHint, onReady, onError }: Listeners,
): FolderWatches {
  const followed = new Map<string, { readonly birthMs: number; readonly close: () => void }>();
  const gathered = new Map<string, number>();
  let cancelTimer: (() => void) | undefined;
  const rootWatcher = watchesRoot ? watchRoot() : undefined;

  function watchRoot(): FSWatcher {
    const options = {
      ignoreInitial: true,
      followSymlinks: false,
      ignorePermissionErrors: true,
      atomic: false,
    };
    const watcher = watch(rootPath, { ...options, depth: 0 });
    watcher.on('error', onError).on('all', (_event, path) => {
      const name = nameIn(rootPath, path);
      if (name !== undefined) onHint(name, 1);
    });
    return watcher.once('ready', onReady);
  }

  function hint(exportPath: string, changes: number): void {
    gathered.set(exportPath, (gathered.get(exportPath) ?? 0) + changes);
    cancelTimer ??= clock.after(GATHER_MS, () => {
      const hints = [...gathered];
      gathered.clear();
      cancelTimer = undefined;
      for (const [name, count] of hints) onHint(name, count);
    });
  }

  /** Returns what closes the watch. One that failed is not tried again while the folder is the same. */
  function watchClosely({ path, exportPath }: FollowedFolder): () => void {
    try {
      const watcher = fs.watch(path, (event) => hint(exportPath, event === 'rename' ? 1 : 0));
      watcher.on('error', (error) => {
        watcher.close();
        // Windows: the folder was deleted
        if (systemErrorName(error) === 'EPERM') hint(exportPath, 1);
        else onError(error);
      });
      return () => watcher.close();
    } catch (error) {
      if (systemErrorName(error) !== 'ENOENT') onError(error);
      return () => undefined;
    }
  }

  return {
    follow(folders) {
      const wanted = new Map(folders.map((folder) => [folder.path, folder]));
      for (const [path, { birthMs, close }] of followed) {
        if (wanted.get(path)?.birthMs === birthMs) continue;
        followed.delete(path);
        close();
      }
      for (const [path, folder] of wanted) {
        const { birthMs } = folder;
        if (!followed.has(path)) followed.set(path, { birthMs, close: watchClosely(folder) });
      }
    },
    async close() {
      cancelTimer?.();
      for (const { close } of followed.values()) close();
      followed.clear();
      await rootWatcher?.close();
    },
  };
}

/** The folders of the newest exports, each with those directly in it; deeper changes are found by the rescan. */
function newestFolders(rootPath: string, records: ExportTracker['records']): readonly FollowedFolder[] {
  const newest = [...records.values()].toSorted((one, other) => other.ref.mtimeMs - one.ref.mtimeMs);
  const chosen: FollowedFolder[] = [];
  for (const { ref, folders } of newest) {
    const { exportPath } = ref;
    for (const [inside, { birthMs }] of folders) {
      if (chosen.length === MOST_FOLLOWED) return chosen;
      const path = join(rootPath, exportPath, inside);
      // The root itself is watched already
      if (path !== rootPath && !inside.includes('/')) chosen.push({ path, birthMs, exportPath });
    }
  }
  return chosen;
}

/** The entry of the root that a path belongs to; undefined for the root itself and for paths outside it. */
function nameIn(rootPath: string, path: string): string | undefined {
  const inside = relative(rootPath, path);
  if (inside === '' || inside.startsWith('..') || isAbsolute(inside)) return undefined;
  return inside.split(sep)[0];
}
