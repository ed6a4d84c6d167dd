import { z } from 'zod';
import { failureSchema } from './failure.ts';
import { seenExportSchema } from './seen-export.ts';
import { incidentRowSchema } from './upload-view.ts';

const count = z.int().min(0);
const text = z.string().exactOptional();
const sum = z.object({ clips: count, bytes: count }).readonly();

/** Rows of each kind that a handover names; its counts are of all. */
export const MOST_HANDED_OVER = 200;

/** Something that failed and still does: a clip, or the record of an incident (without `clipId`). */
const handedFailureSchema = z
  .object({
    incidentId: z.string(),
    title: z.string(),
    clipId: text,
    /** Path inside the export folder. */
    file: text,
    camera: text,
    failure: failureSchema.exactOptional(),
    failedAt: text,
  })
  .readonly();
/** See `handedFailureSchema`. */
export type HandedFailure = z.infer<typeof handedFailureSchema>;

/** What one shift tells the next: what came in and was sent since a time, and what is open now. Times are ISO 8601 UTC. */
export const handoverSchema = z
  .object({
    since: z.string(),
    /** When this was read. */
    at: z.string(),
    /** Incidents that came in since then, newest first. */
    arrived: z.object({ incidents: count, rows: z.array(incidentRowSchema).readonly() }).readonly(),
    sent: sum,
    /** What has failed and was not put right, whenever it was, newest incident first; `leftOut` since then by a person. */
    failed: z
      .object({ clips: count, records: count, leftOut: count, rows: z.array(handedFailureSchema).readonly() })
      .readonly(),
    /** What waits in the queue: all of it, and the incidents that are not whole, oldest first. */
    waiting: z
      .object({ clips: count, bytes: count, incidents: count, rows: z.array(incidentRowSchema).readonly() })
      .readonly(),
    /** Exports that are not wholly in the queue: those that need a person first. */
    exports: z.object({ total: count, rows: z.array(seenExportSchema).readonly() }).readonly(),
  })
  .readonly();
/** See `handoverSchema`. */
export type Handover = z.infer<typeof handoverSchema>;
