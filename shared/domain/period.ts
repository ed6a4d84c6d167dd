import { z } from 'zod';
import { serviceIdSchema } from './ids.ts';

const markerSchema = z.object({ name: z.string().exactOptional(), at: z.string().exactOptional() });

/** A period: a named time frame of the team. Times are ISO 8601 UTC as received. service.md "Period". */
export const periodSchema = z
  .object({
    id: serviceIdSchema,
    name: z.string().exactOptional(),
    startAt: z.string().exactOptional(),
    endAt: z.string().exactOptional(),
    createdAt: z.string().exactOptional(),
    updatedAt: z.string().exactOptional(),
    markers: z.array(markerSchema.readonly()).readonly(),
  })
  .readonly();
/** See `periodSchema`. */
export type Period = z.infer<typeof periodSchema>;

/** Limits of a listing of periods, both optional: ISO 8601 UTC with milliseconds. service.md endpoint 7. */
export const periodRangeSchema = z
  .object({ startAt: z.iso.datetime().exactOptional(), endAt: z.iso.datetime().exactOptional() })
  .readonly();
/** See `periodRangeSchema`. */
export type PeriodRange = z.infer<typeof periodRangeSchema>;
