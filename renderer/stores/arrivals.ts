import { createStore, type StoreApi } from 'zustand/vanilla';

/** What to show on the Uploads screen. */
export type Wanted = ({ readonly kind: 'incident' } & WantedIncident) | { readonly kind: 'failed' };

/** An incident, or one clip of it. */
export interface WantedIncident {
  readonly incidentId: string;
  readonly clipId?: string | undefined;
}

/** A row that something outside asked to see; `times` counts all such requests. */
export interface AskedRow {
  readonly rowId: string;
  readonly times: number;
}

/** Items handed to this page from outside, waiting to be shown. */
export interface ArrivalsState {
  /** Folders to preview, one after the other. */
  readonly folders: readonly string[];
  /** How many there have been since the queue of folders was last empty. */
  readonly total: number;
  /** The item to show; only the latest request counts. */
  readonly wanted: Wanted | undefined;
  /** The last incident or clip that was shown. */
  readonly asked: AskedRow | undefined;
}
export type ArrivalsStore = StoreApi<ArrivalsState> & {
  /** Folders that are already waiting are not added again. */
  readonly addFolders: (paths: readonly string[]) => void;
  /** Removes the first folder. */
  readonly nextFolder: () => void;
  readonly leaveFolders: () => void;
  readonly show: (wanted: Wanted) => void;
  readonly shown: () => void;
};

const rowOf = ({ incidentId, clipId }: WantedIncident): string =>
  clipId === undefined ? `incident:${incidentId}` : `clip:${clipId}`;

/** Makes an empty store. */
export function createArrivalsStore(): ArrivalsStore {
  const store = createStore<ArrivalsState>()(() => ({
    folders: [],
    total: 0,
    wanted: undefined,
    asked: undefined,
  }));
  return {
    ...store,
    addFolders: (paths) =>
      store.setState(({ folders, total }) => {
        const next = [...new Set([...folders, ...paths])];
        const before = folders.length === 0 ? 0 : total;
        return { folders: next, total: before + next.length - folders.length };
      }),
    nextFolder: () => store.setState(({ folders }) => ({ folders: folders.slice(1) })),
    leaveFolders: () => store.setState({ folders: [] }),
    show: (wanted) => store.setState({ wanted }),
    shown: () =>
      store.setState(({ wanted, asked }) => ({
        wanted: undefined,
        asked: wanted?.kind === 'incident' ? { rowId: rowOf(wanted), times: (asked?.times ?? 0) + 1 } : asked,
      })),
  };
}

/** The parts of a dropped item used here; the browser may not know whether it is a folder. */
export interface DroppedItem {
  readonly kind: string;
  webkitGetAsEntry(): { readonly isDirectory: boolean } | null;
  getAsFile(): File | null;
}

/** Dropped folders, and the number of files dropped with them. */
export interface Drop {
  readonly folders: readonly File[];
  readonly files: number;
}

/** Reads a drop. This only works while its event is being handled. */
export function readDrop(items: Iterable<DroppedItem>): Drop {
  const folders: File[] = [];
  let files = 0;
  for (const item of items) {
    const file = item.kind === 'file' ? item.getAsFile() : null;
    if (file === null) continue;
    if (item.webkitGetAsEntry()?.isDirectory === true) folders.push(file);
    else files += 1;
  }
  return { folders, files };
}
