import { z } from 'zod';
import { serviceIdSchema } from '../../../shared/domain/ids.ts';

/** Most form fields in one request, and the longest name of one, characters: those of the call `actions.list`. */
export const MAX_FIELDS = 50;
export const MAX_FIELD_NAME = 200;

/** Words that the address may hold: what someone typed, or what the service said. */
const words = z.string().max(MAX_FIELD_NAME);

/** What of the screen stands in its address. */
export const periodsSearchSchema = z.object({
  /** First and last day of the range, "2026-11-20", in the zone in which times are shown. */
  from: z.iso.date().optional().catch(undefined),
  to: z.iso.date().optional().catch(undefined),
  period: serviceIdSchema.optional().catch(undefined),
  /** Classification and status by their keys (`keyOf`); without them all are shown. */
  kind: words.optional().catch(undefined),
  status: words.optional().catch(undefined),
  ai: z.boolean().catch(false),
  search: words.catch(''),
  fields: z.array(words.min(1)).max(MAX_FIELDS).catch([]),
  sort: z.string().max(300).catch('createdAt'),
  order: z.enum(['ascending', 'descending']).catch('descending'),
  action: serviceIdSchema.optional().catch(undefined),
});
/** See `periodsSearchSchema`. */
export type PeriodsSearch = z.infer<typeof periodsSearchSchema>;
/** Changes the address. */
export type ChangePeriodsSearch = (change: Partial<z.input<typeof periodsSearchSchema>>) => void;
