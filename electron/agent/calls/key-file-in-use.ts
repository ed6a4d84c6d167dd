import type { Secrets } from '../ports.ts';

/** The key file that the agent reads now: the one of its settings, until a key was stored in another. */
export interface KeyFileInUse {
  /** Absolute; undefined: none is named. */
  path(): string | undefined;
  use(path: string): void;
}

/** Begins with the file that the settings name. */
export function createKeyFileInUse(named: string | undefined, secrets: Secrets): KeyFileInUse {
  let current = named;
  return {
    path: () => current,
    use(path) {
      current = path;
      secrets.useFile?.(path);
    },
  };
}
