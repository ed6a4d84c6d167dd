import { z } from 'zod';

/** Longest request id that is kept, characters. */
const MAX_ID_LENGTH = 200;

/** By what name the other side's own log knows an answer: the header's name, and printable ASCII of at most 200 characters. */
export const requestIdSchema = z
  .object({
    name: z.string().max(40),
    value: z
      .string()
      .max(MAX_ID_LENGTH)
      .regex(/^[\x21-\x7e][\x20-\x7e]*$/),
  })
  .readonly();
/** See `requestIdSchema`. */
export type RequestId = z.infer<typeof requestIdSchema>;
