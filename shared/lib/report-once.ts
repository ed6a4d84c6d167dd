/** Remembers the state in which each thing was last reported; the oldest report is forgotten first. */
export interface ReportOnce {
  /** True, once, when `id` is in a different state than when it was last reported. */
  isNews(id: string, state: string): boolean;
}

/** Creates the memory of `most` things; what was forgotten is news again. */
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
