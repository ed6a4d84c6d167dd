/** Remembers in which state things were last reported; the one that was reported longest ago is forgotten first. */
export interface ReportOnce {
  /** True, once, when `id` is in another state than it was last reported in. */
  isNews(id: string, state: string): boolean;
}

/** Makes the memory of `most` things; what was forgotten is news again. */
export function createReportOnce(most: number): ReportOnce {
  const reported = new Map<string, string>();
  return {
    isNews(id, state) {
      if (reported.get(id) === state) return false;
      reported.delete(id);
      reported.set(id, state);
      const [oldest] = reported.keys();
      if (reported.size > most && oldest !== undefined) reported.delete(oldest);
      return true;
    },
  };
}
