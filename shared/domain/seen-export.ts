import { z } from 'zod';
import { failureSchema } from './failure.ts';
import type { WatchUnit } from './settings.ts';

const count = z.int().min(0);
const text = z.string().exactOptional();

/**
 * Why an export that was seen is not in the queue, in the order in which a person wants to know: files are held back;
 * files that one of its lists names are missing; it has no clip; its clips are being read; it is still being written;
 * its files have stopped changing and wait for the settle time to end; all its clips were sent with another incident or
 * are waiting to be; a marker holds it; a marker leaves it out.
 */
export const seenStates = [
  'held',
  'missing',
  'unrecognised',
  'reading',
  'writing',
  'settling',
  'copy',
  'onHold',
  'ignored',
] as const;
/** One of `seenStates`. */
export type SeenState = (typeof seenStates)[number];

/** Whether the export stays where it is until a person does something. */
export function needsPerson(state: SeenState): boolean {
  return state === 'held' || state === 'missing' || state === 'unrecognised';
}

/** Whether the export will be queued without anyone's help. */
export function isArriving(state: SeenState): boolean {
  return state === 'reading' || state === 'writing' || state === 'settling';
}

/** Units whose exports are folders at any depth of the watched folder; those of other units are directly in it. */
export const nestedUnits: ReadonlySet<WatchUnit> = new Set(['leaf', 'dateFolders', 'run']);

/** Most names kept of one export; `files` counts all. */
export const MOST_SEEN_NAMES = 20;

const seenFileSchema = z
  .object({
    /** Path inside the export folder. */
    path: z.string(),
    /** Why it is not accepted; missing when the export as a whole states the reason. */
    failure: failureSchema.exactOptional(),
  })
  .readonly();

/** What was seen of an export. */
export const seenFactsSchema = z
  .object({
    /** Files in the folder, without those of the operating system. */
    files: count,
    sizeBytes: count,
    /** Number of files in `named` and of those beyond its limit. */
    concerned: count,
    named: z.array(seenFileSchema).max(MOST_SEEN_NAMES).readonly(),
    /** While clips are read: how many have been. */
    read: z.object({ done: count, total: count }).readonly().exactOptional(),
    /** While it is written: percentage that has been sent of the clips that are sent ahead. */
    sentPercent: count.exactOptional(),
    /** It was read, and its state stays until it is read again. */
    isJudged: z.literal(true).exactOptional(),
    /** It has no folder of its own. */
    isLoose: z.literal(true).exactOptional(),
    /** A person left it out; this holds until its files change. */
    isDismissed: z.literal(true).exactOptional(),
    /** Its watched folder, while a person is asked whether that holds what was sent before (`uploads.answerRoot`). */
    rootAsked: text,
    /** If it waits for missing files: path of the list that names them. */
    list: text,
    /**
     * If it is a copy: the title of the incident that has all its clips, if one in the queue does; whether they were sent; how
     * many of its other files are not recognised.
     */
    copyOf: z
      .object({ title: text, isSent: z.boolean(), unknown: count.exactOptional() })
      .readonly()
      .exactOptional(),
  })
  .readonly();
/** See `seenFactsSchema`. */
export type SeenFacts = z.infer<typeof seenFactsSchema>;

/** An export that was seen and is not fully in the queue. Times are ISO 8601 UTC. */
export const seenExportSchema = z
  .object({
    id: z.string(),
    /** Name of the export folder; empty for loose files in a watched folder. */
    name: z.string(),
    /** Path of the folder. */
    folder: z.string(),
    state: z.enum(seenStates),
    since: z.string(),
    /** When it is queued if nothing changes until then; while it is written or settles. */
    settlesAt: text,
    facts: seenFactsSchema,
    /** What it is and why, and what to do; for people. */
    message: z.string(),
    advice: z.string(),
    /** The incident that the rest of the export became. */
    incidentId: text,
  })
  .readonly();
/** See `seenExportSchema`. */
export type SeenExport = z.infer<typeof seenExportSchema>;

/** Exports by state. */
export const seenCountsSchema = z.record(z.enum(seenStates), count).readonly();
/** See `seenCountsSchema`. */
export type SeenCounts = z.infer<typeof seenCountsSchema>;

/** Exports that are on their way into the queue and need no attention. */
export const arrivingOf = ({ reading, writing, settling }: SeenCounts): number =>
  reading + writing + settling;

/** A window of these exports: those that need a person first, then the newest. */
export const seenPageSchema = z
  .object({ total: count, counts: seenCountsSchema, rows: z.array(seenExportSchema).readonly() })
  .readonly();
/** See `seenPageSchema`. */
export type SeenPage = z.infer<typeof seenPageSchema>;
