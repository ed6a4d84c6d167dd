import { basename, dirname } from 'node:path';
import { createWatchLoop } from './watch-loop.ts';
import type { WatchOptions } from './watch-state.ts';
import type { Watcher } from './watch-types.ts';

type Common = Omit<WatchOptions, 'rootId' | 'rootPath' | 'onlyExport' | 'settings'>;

/** A watched root: each of its folders is one export. */
export interface RootWatcherOptions extends Common {
  readonly root: {
    readonly id: string;
    /** Absolute path. */
    readonly path: string;
    readonly settings: WatchOptions['settings'];
  };
}

/** A single export folder that was pushed. */
export interface FolderWatcherOptions extends Common {
  readonly folder: {
    /** Id under which its parent folder counts as a root. */
    readonly rootId: string;
    /** Absolute path of the export itself; the gate is that of its parent. */
    readonly path: string;
    readonly settings: WatchOptions['settings'];
  };
}

/** Watches a root: hints by the system, whole scans as the truth, settling in between. */
export function createRootWatcher({ root, ...common }: RootWatcherOptions): Watcher {
  return createWatchLoop({ ...common, rootId: root.id, rootPath: root.path, settings: root.settings });
}

/** Watches one export folder by the same rule. Its neighbours are neither listed nor watched. */
export function createFolderWatcher({ folder, ...common }: FolderWatcherOptions): Watcher {
  return createWatchLoop({
    ...common,
    rootId: folder.rootId,
    rootPath: dirname(folder.path),
    onlyExport: basename(folder.path),
    settings: folder.settings,
  });
}
