import type { Simulator } from '../simulator/index.ts';

/** Digests of stored objects; each object is read once for each of its etags. */
export interface ObjectDigests {
  /** SHA-256 by key, for those of the keys that storage has. */
  of(keys: Iterable<string>): Promise<ReadonlyMap<string, string>>;
  all(): Promise<ReadonlyMap<string, string>>;
}

export function createObjectDigests(simulator: Simulator): ObjectDigests {
  const known = new Map<string, { readonly etag: string; readonly sha256: string }>();

  async function read(wanted: (key: string) => boolean): Promise<ReadonlyMap<string, string>> {
    const digests = new Map<string, string>();
    for (const { key, etag } of await simulator.objects()) {
      if (!wanted(key)) continue;
      const before = known.get(key);
      const sha256 = before?.etag === etag ? before.sha256 : await simulator.sha256OfObject(key);
      known.set(key, { etag, sha256 });
      digests.set(key, sha256);
    }
    return digests;
  }

  return {
    of(keys) {
      const wanted = new Set(keys);
      return read((key) => wanted.has(key));
    },
    all: () => read(() => true),
  };
}
