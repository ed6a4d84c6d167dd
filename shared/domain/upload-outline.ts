import { z } from 'zod';
import { failureSchema } from './failure.ts';
import { seenExportSchema } from './seen-export.ts';
import { clipRowSchema, clipStates, incidentRowSchema, MAX_PAGE_ROWS } from './upload-view.ts';

const count = z.int().min(0);

/** What the list can be filtered by: clips in a state, or exports that wait for a person. */
export const outlineStates = [...clipStates, 'held'] as const;

/** The sort keys of incidents. Their clips follow if they have that field; otherwise they are in order of recording. */
export const outlineSorts = ['createdAt', 'incidentAt', 'title', 'sizeBytes'] as const;

/** Most incidents that one query names as exceptions from `isOpen`. */
export const MAX_EXCEPT = 200;

const listed = {
  state: z.enum(outlineStates).exactOptional(),
  /** Text that title, folder, file, camera or id must contain, in any case. */
  search: z.string().max(200).exactOptional(),
  sort: z.enum(outlineSorts).default('createdAt'),
  order: z.enum(['ascending', 'descending']).default('descending'),
  /** Whether incidents are open, with their clips below them; those in `except` are the opposite. */
  isOpen: z.boolean().default(false),
  except: z.array(z.string()).max(MAX_EXCEPT).readonly().default([]),
};

/** Which part of the outline to return. */
export const outlineQuerySchema = z
  .strictObject({
    ...listed,
    offset: count.default(0),
    limit: z.int().min(1).max(MAX_PAGE_ROWS).default(100),
  })
  .readonly();
/** See `outlineQuerySchema`. */
export type OutlineQuery = z.infer<typeof outlineQuerySchema>;

/**
 * An incident or one of its clips, and the outline to find it in. A clip that is not listed has the place of its
 * incident.
 */
export const outlinePlaceSchema = z
  .strictObject({ ...listed, incidentId: z.string(), clipId: z.string().exactOptional() })
  .readonly();
/** See `outlinePlaceSchema`. */
export type OutlinePlace = z.infer<typeof outlinePlaceSchema>;

/** One row: an export that is not fully in the queue, an incident, or a clip below its open incident. */
export const outlineRowSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('export'), seen: seenExportSchema }).readonly(),
  z
    .object({
      kind: z.literal('incident'),
      incident: incidentRowSchema,
      isOpen: z.boolean(),
      /** Clips below it when it is open: those that match state and search. */
      shown: count,
      /** Some of the cameras of its clips. */
      cameras: z.array(z.string()).readonly(),
      hasMoreCameras: z.boolean(),
      /** Start of the recording where the incident itself has no time. */
      recordedAt: z.string().exactOptional(),
      /** One of its clips that has a thumbnail. */
      pictureOf: z.string().exactOptional(),
      /** Why one of its clips failed. */
      reason: failureSchema.exactOptional(),
      /** All its failed clips failed for that reason, as far as is known. */
      isOneReason: z.boolean().exactOptional(),
    })
    .readonly(),
  z
    .object({
      kind: z.literal('clip'),
      clip: clipRowSchema,
      incidentTitle: z.string(),
      hasPicture: z.boolean(),
      /** Its position among the clips that are shown of the incident, from 1. */
      position: z.int().min(1),
      shown: count,
    })
    .readonly(),
]);
/** See `outlineRowSchema`. */
export type OutlineRow = z.infer<typeof outlineRowSchema>;

/**
 * A window of the outline. `total` counts all its rows; `counts` are of clips, whatever the filter, with exports that
 * are on their way as `arriving`, those that wait for a person as `held`, and those that stay where they are as
 * `aside`.
 */
export const outlinePageSchema = z
  .object({
    total: count,
    counts: z.record(z.enum([...outlineStates, 'arriving', 'aside']), count).readonly(),
    rows: z.array(outlineRowSchema).readonly(),
  })
  .readonly();
/** See `outlinePageSchema`. */
export type OutlinePage = z.infer<typeof outlinePageSchema>;
