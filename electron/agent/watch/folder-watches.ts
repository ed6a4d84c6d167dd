import { watch, type FSWatcher } from 'chokidar';
import { isAbsolute, join, relative, sep } from 'node:path';
import { fs } from '../files/plain-fs.ts';
import type { Clock } from '../ports.ts';
import { systemErrorName } from '../system-errors.ts';
import type { TrackedExport } from './export-record.ts';

/** Most folders watched closely. Each is a watch of the system's, of which an old desk has 8,192 for all programs. */
const MOST_FOLLOWED = 256;
/** Changes in an export within this time are one hint, milliseconds: a writer causes hundreds a second. */
const GATHER_MS = 50;

/** The system's watches of one root. */
export interface FolderWatches {
  /** Watches the newest of these exports closely, and no others. */
  follow(exports: ReadonlyMap<string, Pick<TrackedExport, 'ref' | 'folders'>>): void;
  close(): Promise<void>;
}

interface WatchesOptions {
  readonly rootPath: string;
  /** The one folder of the root that is watched; undefined: all of them, and the names in the root. */
  readonly onlyExport: string | undefined;
  readonly platform: NodeJS.Platform;
  readonly clock: Clock;
  /** Something changed in a folder of the root. `changes`: how many entries appeared, were renamed or went. */
  readonly onHint: (exportPath: string, changes: number) => void;
  /** The system has dropped changes. */
  readonly onOverflow: () => void;
  /** The root is watched from now on: whatever appeared in it since it was listed gave no hint. */
  readonly onReady: () => void;
  readonly onError: (error: unknown) => void;
}

/** A folder to watch closely. */
interface FollowedFolder {
  readonly path: string;
  /** A folder that was recreated since needs a new watch. */
  readonly birthMs: number;
  /** Undefined: the first name in the path of a change. */
  readonly exportPath: string | undefined;
  /** With everything in it. */
  readonly isTree: boolean;
}

/**
 * Watches the names in the root, and follows folders in it. A followed folder is one watch of the system's, which also
 * tells of writes into its files; chokidar would look at each file and remember it. On Windows, a folder cannot be
 * renamed while a folder in it is watched, so there one watch covers the whole tree.
 */
export function watchFolders(options: WatchesOptions): FolderWatches {
  const { rootPath, onlyExport, platform, clock, onHint, onOverflow, onReady, onError } = options;
  const followed = new Map<string, { readonly birthMs: number; readonly close: () => void }>();
  const gathered = new Map<string, number>();
  let cancelTimer: (() => void) | undefined;
  const rootWatcher = onlyExport === undefined ? watchRoot() : undefined;

  function watchRoot(): FSWatcher {
    const rules = { ignoreInitial: true, followSymlinks: false, ignorePermissionErrors: true, atomic: false };
    const watcher = watch(rootPath, { ...rules, depth: 0 });
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

  /**
   * Returns what closes the watch. One that cannot be opened is not tried again while the folder is the same. Undefined:
   * the folder is gone.
   */
  function watchClosely({ path, exportPath, isTree }: FollowedFolder): (() => void) | undefined {
    try {
      const watcher = fs.watch(path, { recursive: isTree }, (event, changed) => {
        const name = exportPath ?? changed?.split(sep)[0];
        if (name === undefined || changed === null) onOverflow();
        else hint(name, event === 'rename' ? 1 : 0);
      });
      watcher.on('error', (error) => {
        watcher.close();
        followed.delete(path);
        // Windows: the folder was deleted
        if (systemErrorName(error) === 'EPERM' && exportPath !== undefined) hint(exportPath, 1);
        else onError(error);
      });
      return () => watcher.close();
    } catch (error) {
      if (systemErrorName(error) === 'ENOENT') return undefined;
      onError(error);
      return () => undefined;
    }
  }

  return {
    follow(exports) {
      const folders =
        platform === 'win32' ? [wholeTree(rootPath, onlyExport)] : newestFolders(rootPath, exports);
      const wanted = new Map(folders.map((folder) => [folder.path, folder]));
      for (const [path, { birthMs, close }] of followed) {
        if (wanted.get(path)?.birthMs === birthMs) continue;
        followed.delete(path);
        close();
      }
      for (const [path, folder] of wanted) {
        const close = followed.has(path) ? undefined : watchClosely(folder);
        if (close !== undefined) followed.set(path, { birthMs: folder.birthMs, close });
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

const wholeTree = (rootPath: string, onlyExport: string | undefined): FollowedFolder => ({
  path: join(rootPath, onlyExport ?? ''),
  birthMs: 0,
  exportPath: onlyExport,
  isTree: true,
});

/** The folders of the newest exports, each with those directly in it; deeper changes are found by the rescan. */
function newestFolders(
  rootPath: string,
  exports: Parameters<FolderWatches['follow']>[0],
): readonly FollowedFolder[] {
  const newest = [...exports.values()].toSorted((one, other) => other.ref.mtimeMs - one.ref.mtimeMs);
  const chosen: FollowedFolder[] = [];
  for (const { ref, folders } of newest) {
    const { exportPath } = ref;
    for (const [inside, { birthMs }] of folders) {
      if (chosen.length === MOST_FOLLOWED) return chosen;
      const path = join(rootPath, exportPath, inside);
      // The root itself is watched already
      if (path !== rootPath && !inside.includes('/'))
        chosen.push({ path, birthMs, exportPath, isTree: false });
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
