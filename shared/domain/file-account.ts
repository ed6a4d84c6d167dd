import { z } from 'zod';

/**
 * What became of a file of an export; each file has exactly one class: a clip; a clip whose bytes were sent before,
 * which is not sent or listed again (service.md gap 12); a file that belongs to a clip (index, project, signature,
 * report); a picture; a sidecar that was read; a program; an ignored file (hidden, a marker, a by-product of a system
 * or program); a file that is still being written or held back; anything else, which was not sent.
 */
export const fileClasses = [
  'clip',
  'copy',
  'companion',
  'picture',
  'sidecar',
  'program',
  'system',
  'waiting',
  'unknown',
] as const;
/** One of `fileClasses`. */
export type FileClass = (typeof fileClasses)[number];

/** Classes that are not in the lists of clips and pictures; those that need a look come first. */
export const otherClasses: readonly FileClass[] = [
  'unknown',
  'program',
  'waiting',
  'copy',
  'companion',
  'sidecar',
  'system',
];

const noFiles: Readonly<Record<FileClass, number>> = {
  clip: 0,
  copy: 0,
  companion: 0,
  picture: 0,
  sidecar: 0,
  program: 0,
  system: 0,
  waiting: 0,
  unknown: 0,
};

/** Counts the files of each class. */
export function countClasses(
  files: readonly Pick<AccountedFile, 'class'>[],
): Readonly<Record<FileClass, number>> {
  const counts = { ...noFiles };
  for (const file of files) counts[file.class] += 1;
  return counts;
}

/** Most files that are named in an account; `counts` counts all. */
export const MOST_ACCOUNTED_NAMES = 200;

const accountedFileSchema = z
  .object({
    /** Path inside the export folder. */
    path: z.string(),
    class: z.enum(fileClasses),
    /** Why it has this class, for people. */
    why: z.string(),
  })
  .readonly();
/** See `fileClasses`. */
export type AccountedFile = z.infer<typeof accountedFileSchema>;

/** All files of an export by what became of them. The counts add up to the folder's files. */
export const fileAccountSchema = z
  .object({
    // An earlier version stored fewer classes
    counts: z
      .partialRecord(z.enum(fileClasses), z.int().min(0))
      .transform((counts) => ({ ...noFiles, ...counts }))
      .readonly(),
    /** Files that were not sent as clips or pictures; those that need a look come first. */
    named: z.array(accountedFileSchema).max(MOST_ACCOUNTED_NAMES).readonly(),
  })
  .readonly();
/** See `fileAccountSchema`. */
export type FileAccount = z.infer<typeof fileAccountSchema>;

/** The source of a value of an incident or clip, shown and stored with it. */
export type ValueSource =
  | 'person'
  | 'sidecar'
  | 'registry'
  | 'settings'
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
  /** IANA zone in which it would agree with another clock, where its folder's does not. */
  readonly zone?: string;
}

/** A value that was considered. `refused` says why it cannot be used, whatever else there is; in words for people. */
export interface Candidate<T> extends Sourced<T> {
  readonly refused?: string;
}

/** The first candidate that may be used; candidates are in the order of trust. */
export function standing<T>(candidates: readonly Candidate<T>[]): Sourced<T> | undefined {
  return candidates.find(({ refused }) => refused === undefined);
}
