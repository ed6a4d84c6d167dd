/** Remembers what was told of things; the one that was told of longest ago is forgotten first. */
export interface ToldBefore {
  /** True, once, when another state than the last one is told of `id`. */
  isNews(id: string, state: string): boolean;
}

/** Makes the memory. `most` things are remembered; what was forgotten is news again. */
export function createToldBefore(most: number): ToldBefore {
  const told = new Map<string, string>();
  return {
    isNews(id, state) {
      if (told.get(id) === state) return false;
      told.delete(id);
      told.set(id, state);
      const [oldest] = told.keys();
      if (told.size > most && oldest !== undefined) told.delete(oldest);
      return true;
    },
  };
}
