import { z } from 'zod';

/** What of the screen stands in its address. */
export const healthSearchSchema = z.object({
  level: z.enum(['info', 'warn', 'error']).catch('info'),
  search: z.string().max(200).catch(''),
});
