import { z } from 'zod';
import { clipStates } from '../../../shared/domain/upload-view.ts';

/** What of the screen stands in its address. */
export const uploadsSearchSchema = z.object({
  state: z.enum([...clipStates, 'all']).catch('all'),
  search: z.string().max(200).catch(''),
  sort: z.enum(['createdAt', 'startedAt', 'file', 'sizeBytes']).catch('createdAt'),
  order: z.enum(['ascending', 'descending']).catch('descending'),
  incident: z.string().optional().catch(undefined),
  clip: z.string().optional().catch(undefined),
});
/** See `uploadsSearchSchema`. */
export type UploadsSearch = z.infer<typeof uploadsSearchSchema>;
/** Changes the address. */
export type ChangeSearch = (change: Partial<z.input<typeof uploadsSearchSchema>>) => void;
