import { createStore, type StoreApi } from 'zustand/vanilla';

/** What to show on the Uploads screen. */
export type Wanted = ({ readonly kind: 'incident' } & WantedIncident) | { readonly kind: 'failed' };

/** An incident, or one clip of it. */
export interface WantedIncident {
  readonly incidentId: string;
  readonly clipId?: string | undefined;
}

/** A row that someone outside asked to see, for the how-manieth time that any was. */
export interface AskedRow {
  readonly rowId: string;
  readonly times: number;
}

/** What was handed to this page from outside and waits for its turn on the screen. */
export interface ArrivalsState {
  /** Folders to be previewed, one after the other. */
  readonly folders: readonly string[];
  /** How many there were since the last time that none waited. */
  readonly total: number;
  /** What is to be shown; only the last that was asked for. */
  readonly wanted: Wanted | undefined;
  /** The incident or clip that was shown last. */
  readonly asked: AskedRow | undefined;
}
export type ArrivalsStore = StoreApi<ArrivalsState> & {
  /** Folders that wait already are not added again. */
  readonly addFolders: (paths: readonly string[]) => void;
  /** The first folder is done with. */
  readonly nextFolder: () => void;
  readonly leaveFolders: () => void;
  readonly show: (wanted: Wanted) => void;
  readonly shown: () => void;
};

const rowOf = ({ incidentId, clipId }: WantedIncident): string =>
  clipId === undefined ? `incident:${incidentId}` : `clip:${clipId}`;

/** Makes the store, with nothing in it. */
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

/** The part of a dropped thing that is looked at: the browser says whether it is a folder, if it says anything. */
export interface DroppedItem {
  readonly kind: string;
  webkitGetAsEntry(): { readonly isDirectory: boolean } | null;
  getAsFile(): File | null;
}

/** What was dropped: folders, and how many files beside them. */
export interface Drop {
  readonly folders: readonly File[];
  readonly files: number;
}

/** Reads a drop. It can be read only as long as its event is handled. */
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
