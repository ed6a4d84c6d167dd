import type { z } from 'zod';

/** One call of the contract: what goes in and what comes out, both checked at the door. */
export interface CallShape {
  readonly input: z.ZodType;
  readonly output: z.ZodType;
}

/** Writes down one call. */
export function defineCall<Input extends z.ZodType, Output extends z.ZodType>(
  input: Input,
  output: Output,
): { readonly input: Input; readonly output: Output } {
  return { input, output };
}
