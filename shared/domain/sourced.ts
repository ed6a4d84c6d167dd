/** Where a value of an incident or clip came from; shown beside it and kept with it. */
export type ValueSource =
  | 'person'
  | 'sidecar'
  | 'command-line'
  | 'folder-name'
  | 'file-name'
  | 'media'
  | 'file-time'
  | 'clips'
  | 'generated';

/** How far a value may be trusted. `low` is sent and flagged (service.md gap 32). */
export type Confidence = 'high' | 'medium' | 'low';

/** A value with its origin; `note` says in words what a reader should know (for example a doubled hour). */
export interface Sourced<T> {
  readonly value: T;
  readonly source: ValueSource;
  readonly confidence: Confidence;
  readonly note?: string;
}

/** A value that was looked at. `refused` says why it cannot stand, whatever else there is; in words for people. */
export interface Candidate<T> extends Sourced<T> {
  readonly refused?: string;
}

/** The first that may stand: candidates are in the order of trust. */
export function standing<T>(candidates: readonly Candidate<T>[]): Sourced<T> | undefined {
  return candidates.find(({ refused }) => refused === undefined);
}
