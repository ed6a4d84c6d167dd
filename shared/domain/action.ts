import { z } from 'zod';
import { serviceIdSchema } from './ids.ts';

const text = z.string().exactOptional();

const formFieldSchema = z.object({ name: z.string(), values: z.array(z.string()).readonly() }).readonly();
const otherFieldSchema = z.object({ name: z.string(), text: z.string() }).readonly();

/**
 * An action of a period: a task, incident, request or checklist. Times are ISO 8601 UTC as received; `status` is any
 * word (service.md gap 20). service.md "Action".
 */
export const actionSchema = z
  .object({
    /** The action within its period: `periodActionId`, otherwise "action" and `actionId`. */
    id: serviceIdSchema,
    actionId: serviceIdSchema.exactOptional(),
    periodActionId: serviceIdSchema.exactOptional(),
    periodId: serviceIdSchema.exactOptional(),
    periodName: text,
    classification: text,
    subClassification: text,
    status: text,
    createdAt: text,
    assignedAt: text,
    doingAt: text,
    closedAt: text,
    createdBy: text,
    periodMarker: text,
    assignedUsers: z.array(z.string()).readonly(),
    channel: text,
    formType: text,
    latestChannel: text,
    aiDispatched: z.boolean().exactOptional(),
    /** Every array that is not a field of the table, in the order of the answer (service.md gap 19). */
    formFields: z.array(formFieldSchema).readonly(),
    /** Requested form fields that this action does not have. */
    missingFields: z.array(z.string()).readonly(),
    /** The service's notes as lines for people, whatever shape they came in (service.md gap 18). */
    notes: z.array(z.string()).readonly(),
    /** Any other fields that came with it (service.md gap 19). */
    otherFields: z.array(otherFieldSchema).readonly(),
  })
  .readonly();
/** See `actionSchema`. */
export type Action = z.infer<typeof actionSchema>;

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
