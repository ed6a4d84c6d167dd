import { createStore, type StoreApi } from 'zustand/vanilla';

/** What was handed to this page from outside and waits for its turn on the screen. */
export interface ArrivalsState {
  /** Folders to be previewed, one after the other. */
  readonly folders: readonly string[];
  /** How many there were since the last time that none waited. */
  readonly total: number;
  /** The incident to be shown. */
  readonly incidentId: string | undefined;
}
export type ArrivalsStore = StoreApi<ArrivalsState> & {
  /** Folders that wait already are not added again. */
  readonly addFolders: (paths: readonly string[]) => void;
  /** The first folder is done with. */
  readonly nextFolder: () => void;
  readonly leaveFolders: () => void;
  readonly showIncident: (incidentId: string) => void;
  readonly incidentShown: () => void;
};

/** Makes the store, with nothing in it. */
export function createArrivalsStore(): ArrivalsStore {
  const store = createStore<ArrivalsState>()(() => ({ folders: [], total: 0, incidentId: undefined }));
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
    showIncident: (incidentId) => store.setState({ incidentId }),
    incidentShown: () => store.setState({ incidentId: undefined }),
  };
}
