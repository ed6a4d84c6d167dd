import { z } from 'zod';
import {
  clipDetailSchema,
  clipIdsSchema,
  clipPageSchema,
  clipQuerySchema,
  incidentDetailSchema,
  incidentPageSchema,
  incidentQuerySchema,
  MAX_PAGE_ROWS,
  uploadTargetSchema,
  wideTargetSchema,
  incidentRowSchema,
} from '../../domain/upload-view.ts';
import { outlinePageSchema, outlinePlaceSchema, outlineQuerySchema } from '../../domain/upload-outline.ts';
import { seenExportSchema, seenPageSchema } from '../../domain/seen-export.ts';
import { historySchema, historySubjectSchema } from '../../domain/upload-history.ts';
import { defineCall } from '../envelope.ts';
import { failureSchema } from '../../domain/failure.ts';

const count = z.int().min(0);
const changed = z.object({ changed: count }).readonly();

/** Types of images that are shown. */
export const thumbnailTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;

/** The image of a clip. */
export const thumbnailSchema = z.object({ mediaType: z.enum(thumbnailTypes), base64: z.base64() }).readonly();
/** See `thumbnailSchema`. */
export type Thumbnail = z.infer<typeof thumbnailSchema>;

const counted = z.int().min(0);
const text = z.string().exactOptional();
const sum = z.object({ clips: counted, bytes: counted }).readonly();

/** Most rows of each kind that a handover names; its counts are of all. */
export const MOST_HANDED_OVER = 200;

/** Something that failed and has not been fixed: a clip, or the record of an incident (without `clipId`). */
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
const handoverSchema = z
  .object({
    since: z.string(),
    /** When this was read. */
    at: z.string(),
    /** New incidents since then, newest first. */
    arrived: z.object({ incidents: counted, rows: z.array(incidentRowSchema).readonly() }).readonly(),
    sent: sum,
    /** What failed at any time and has not been fixed, newest incident first; `leftOut`: by a person, since then. */
    failed: z
      .object({
        clips: counted,
        records: counted,
        leftOut: counted,
        rows: z.array(handedFailureSchema).readonly(),
      })
      .readonly(),
    /** What waits in the queue: totals, and the incomplete incidents, oldest first. */
    waiting: z
      .object({
        clips: counted,
        bytes: counted,
        incidents: counted,
        rows: z.array(incidentRowSchema).readonly(),
      })
      .readonly(),
    /** Exports that are not fully in the queue; those that need a person come first. */
    exports: z.object({ total: counted, rows: z.array(seenExportSchema).readonly() }).readonly(),
  })
  .readonly();
/** See `handoverSchema`. */
export type Handover = z.infer<typeof handoverSchema>;

/** The queue: what is in it, and what a person does with it. */
export const uploadCalls = {
  'uploads.listIncidents': defineCall(incidentQuerySchema, incidentPageSchema),
  /** Incidents that open to their clips, below the exports that are not in the queue yet: what the screen Uploads shows. */
  'uploads.list': defineCall(outlineQuerySchema, outlinePageSchema),
  /** Which row of `uploads.list` an incident is, counted from 0; no `index` when it is not among them. */
  'uploads.placeOf': defineCall(outlinePlaceSchema, z.object({ index: count.exactOptional() }).readonly()),
  'uploads.listClips': defineCall(clipQuerySchema, clipPageSchema),
  /** Exports that were seen and are not fully in the queue. */
  'uploads.listExports': defineCall(
    z.strictObject({ offset: count.default(0), limit: z.int().min(1).max(MAX_PAGE_ROWS).default(100) }),
    seenPageSchema,
  ),
  /** Errors: NOT_FOUND, also once it is in the queue. */
  'uploads.getExport': defineCall(z.strictObject({ exportId: z.string() }), seenExportSchema),
  /** Leaves out an export without a known clip until its files change. Errors: NOT_FOUND. */
  'uploads.ignoreExport': defineCall(
    z.strictObject({ exportId: z.string() }),
    z.object({ isIgnored: z.literal(true) }).readonly(),
  ),
  /** The incident that an export became; none while it has not become one, or when its folder was never queued. */
  'uploads.incidentOfExport': defineCall(
    z.strictObject({ exportId: z.string() }),
    z.object({ incidentId: z.string().exactOptional() }).readonly(),
  ),
  /** What one shift tells the next: what came in and was sent since a time (ISO 8601), and what is open now. */
  'uploads.handover': defineCall(z.strictObject({ since: z.iso.datetime() }), handoverSchema),
  /** Errors: NOT_FOUND. */
  'uploads.getIncident': defineCall(z.strictObject({ incidentId: z.string() }), incidentDetailSchema),
  /** Errors: NOT_FOUND. */
  'uploads.getClip': defineCall(z.strictObject({ clipId: z.string() }), clipDetailSchema),
  /** What happened to a clip or an incident; old events are merged, so that it needs no pages. Errors: NOT_FOUND. */
  'uploads.getHistory': defineCall(z.strictObject({ of: historySubjectSchema }), historySchema),
  /** Errors: NOT_FOUND when the clip has none; the FILE_ and ROOT_ codes. */
  'uploads.getThumbnail': defineCall(z.strictObject({ clipId: z.string() }), thumbnailSchema),
  /**
   * The address where a player reads the clip's source by ranges, relative to the page's origin. Errors: NOT_FOUND; the
   * FILE_ and ROOT_ codes.
   */
  'uploads.openClip': defineCall(
    z.strictObject({ clipId: z.string() }),
    z.object({ address: z.string() }).readonly(),
  ),
  /**
   * Puts failed clips back into the queue, and `incidents` whose check or record was given up. `skipped`: cancelled
   * clips and those whose file is gone, unless they are named. Errors: NOT_FOUND.
   */
  'uploads.retry': defineCall(
    z.strictObject({ target: wideTargetSchema }),
    z.object({ retried: count, skipped: count, incidents: count }).readonly(),
  ),
  /**
   * Stops uploads in progress and keeps what storage has acknowledged; a pause survives a restart. Errors: NOT_FOUND.
   */
  'uploads.pause': defineCall(z.strictObject({ target: wideTargetSchema }), changed),
  'uploads.resume': defineCall(z.strictObject({ target: wideTargetSchema }), changed),
  /** Lifts all bandwidth limits for an hour, or restores them. Errors: SETTING_MANAGED. */
  'uploads.liftLimits': defineCall(
    z.strictObject({ isLifted: z.boolean() }),
    z.object({ isLifted: z.boolean() }).readonly(),
  ),
  /** Marks clips that are not uploaded yet as failed, with the code CANCELLED. Errors: NOT_FOUND. */
  'uploads.cancel': defineCall(z.strictObject({ target: uploadTargetSchema }), changed),
  /**
   * Marks failed clips as needing no attention (`isLeftOut`), or takes that back. They stay failed, in the service as
   * well, and can still be retried by name. Of an incident: each that a retry of it would not include; `leftOutAt`, as
   * returned, takes back that one command only. Errors: NOT_FOUND.
   */
  'uploads.leaveOut': defineCall(
    z
      .strictObject({
        clipIds: clipIdsSchema.exactOptional(),
        incidentId: z.string().exactOptional(),
        isLeftOut: z.boolean(),
        leftOutAt: z.iso.datetime().exactOptional(),
      })
      .refine(({ clipIds, incidentId }) => (clipIds === undefined) !== (incidentId === undefined), {
        error: 'must name either clips or an incident',
      }),
    z.object({ changed: count, leftOutAt: z.string() }).readonly(),
  ),
  /**
   * Answers whether a watched folder that waits (ROOT_DIFFERENT) has the evidence that was sent before: `adopt`, or
   * `send` it as new. `answered` is false when no question about the folder is open.
   */
  'uploads.answerRoot': defineCall(
    z.strictObject({ folder: z.string().min(1).max(4096), answer: z.enum(['adopt', 'send']) }),
    z.object({ answered: z.boolean() }).readonly(),
  ),
  /** Moves them before everything else that waits. Errors: NOT_FOUND. */
  'uploads.moveToFront': defineCall(z.strictObject({ target: uploadTargetSchema }), changed),
};
