import { z } from 'zod';
import { failureSchema } from '../domain/failure.ts';

/** A call on its way to the agent. */
export const requestSchema = z.strictObject({ call: z.string().max(100), input: z.unknown() });
/** See `requestSchema`. */
export type CallRequest = z.infer<typeof requestSchema>;

/** The answer on its way back: a problem is data, never a thrown error. */
export const replySchema = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), value: z.unknown() }),
  z.object({ ok: z.literal(false), error: failureSchema }),
]);
/** See `replySchema`. */
export type CallReply = z.infer<typeof replySchema>;
