import { z } from 'zod';

/** Longest id that is believed, characters; longer ones are a broken answer. */
const MAX_ID_LENGTH = 1024;

/** An id that the service gave: integer or string, kept as received (service.md gap 25). */
export const serviceIdSchema = z.union([z.int(), z.string().min(1).max(MAX_ID_LENGTH)]);
/** See `serviceIdSchema`. */
export type ServiceId = z.infer<typeof serviceIdSchema>;
