/**
 * Sooner ends that were wrong, by watched folder and container: a clip was taken because its container proved it closed,
 * and changed within the settle time after all. `wrong` counts them, `wrong_at` is when the last one was seen.
 */
export const soonerEnds = `
CREATE TABLE sooner_ends (
  root_id TEXT NOT NULL,
  container TEXT NOT NULL,
  wrong INTEGER NOT NULL,
  wrong_at INTEGER NOT NULL,
  PRIMARY KEY (root_id, container)
) STRICT, WITHOUT ROWID;
`;
