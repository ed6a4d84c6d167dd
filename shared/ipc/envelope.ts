import { z } from 'zod';
import { failureSchema } from '../domain/failure.ts';

/** A call on its way to the agent. */
export const requestSchema = z.strictObject({ call: z.string().max(100), input: z.unknown() });
/** See `requestSchema`. */
export type CallRequest = z.infer<typeof requestSchema>;

/** The answer on its way back: an error is data and is never thrown. */
export const replySchema = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), value: z.unknown() }),
  z.object({ ok: z.literal(false), error: failureSchema }),
]);
/** See `replySchema`. */
export type CallReply = z.infer<typeof replySchema>;

/** One call of the contract: the schemas of its input and output, both checked at the boundary. */
export interface CallShape {
  readonly input: z.ZodType;
  readonly output: z.ZodType;
}

/** Defines one call. */
export function defineCall<Input extends z.ZodType, Output extends z.ZodType>(
  input: Input,
  output: Output,
): { readonly input: Input; readonly output: Output } {
  return { input, output };
}
