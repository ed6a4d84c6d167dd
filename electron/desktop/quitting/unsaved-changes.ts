import type { CurrentPage } from '../security/ipc-gateway.ts';

/** Whether the page has changes of the settings that are not saved. */
export interface UnsavedChanges {
  /** What the page that is in the window now says. */
  readonly set: (hasChanges: boolean) => void;
  readonly any: () => boolean;
}

/** Keeps what the page said for as long as that page lives: one that crashed or was loaded again has lost its changes. */
export function createUnsavedChanges(page: Pick<CurrentPage, 'gone'>): UnsavedChanges {
  let holder: AbortSignal | undefined;
  return {
    set(hasChanges) {
      holder = hasChanges ? page.gone() : undefined;
    },
    any: () => holder?.aborted === false,
  };
}
