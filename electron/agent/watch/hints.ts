import { watch, type FSWatcher } from 'chokidar';
import { isAbsolute, join, relative, sep } from 'node:path';

/** Levels below an export that are watched; what happens deeper is found by the rescan. */
const EXPORT_LEVELS = 1;

/** Hints that something changed. They are only hints: the system drops events silently when there are many. */
export interface Hints {
  /** Watches exactly these exports closely, besides the names in the root itself. */
  follow(exportPaths: readonly string[]): void;
  close(): Promise<void>;
}

export interface HintOptions {
  readonly rootPath: string;
  /** False for a single pushed folder: what else its parent holds is no concern. */
  readonly watchesRoot: boolean;
  readonly onHint: (exportPath: string) => void;
  /** The root is watched from now on: what came into it before, since it was listed, gave no hint. */
  readonly onReady: () => void;
  readonly onError: (error: unknown) => void;
}

/** Starts watching. One watch a folder, so only the root and a bounded number of exports are watched. */
export function openHints({ rootPath, watchesRoot, onHint, onReady, onError }: HintOptions): Hints {
  const common = { ignoreInitial: true, followSymlinks: false, ignorePermissionErrors: true, atomic: false };
  const listen = (watcher: FSWatcher): FSWatcher =>
    watcher.on('error', onError).on('all', (_event, path) => {
      const exportPath = exportOf(rootPath, path);
      if (exportPath !== undefined) onHint(exportPath);
    });
  const rootWatcher = watchesRoot ? listen(watch(rootPath, { ...common, depth: 0 })) : undefined;
  rootWatcher?.once('ready', onReady);
  const exportWatcher = listen(watch([], { ...common, depth: EXPORT_LEVELS }));
  let followed = new Set<string>();

  function follow(exportPaths: readonly string[]): void {
    const wanted = new Set(exportPaths.map((exportPath) => join(rootPath, exportPath)));
    const left = [...followed].filter((path) => !wanted.has(path));
    const added = [...wanted].filter((path) => !followed.has(path));
    followed = wanted;
    if (left.length > 0) exportWatcher.unwatch(left);
    if (added.length > 0) exportWatcher.add(added);
  }

  async function close(): Promise<void> {
    await Promise.all([rootWatcher?.close(), exportWatcher.close()]);
  }

  return { follow, close };
}

/** The export that a path belongs to; undefined for the root itself and for what lies outside. */
function exportOf(rootPath: string, path: string): string | undefined {
  const inside = relative(rootPath, path);
  if (inside === '' || inside.startsWith('..') || isAbsolute(inside)) return undefined;
  return inside.split(sep)[0];
}
