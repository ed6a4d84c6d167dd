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
