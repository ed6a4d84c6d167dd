import { z } from 'zod';
import { knownCalls } from '../calls.ts';

const bytes = z.number().int().nonnegative();
const moment = z.enum(['before', 'after']).default('before');
const status = z.number().int().min(100).max(599);

/** The requests that a rule applies to; every given field must match. */
export const matchSchema = z.strictObject({
  call: z.enum([...knownCalls, '*']).default('*'),
  listener: z.enum(['service', 'storage']).optional(),
  method: z.string().optional(),
  pathContains: z.string().optional(),
  incidentId: z.string().optional(),
  fileId: z.string().optional(),
  partNumber: z.number().int().optional(),
});

/** What happens to a request that matches a rule. */
export const actionSchema = z.discriminatedUnion('kind', [
  /** Another answer, instead of the effect or after it. `code` makes it an XML body of storage. */
  z.strictObject({
    kind: z.literal('answer'),
    status,
    body: z.unknown().optional(),
    bodyBase64: z.string().optional(),
    code: z.string().optional(),
    headers: z.record(z.string(), z.string()).optional(),
    when: moment,
  }),
  /** Waits first; a second rule can then act on the same request. */
  z.strictObject({ kind: z.literal('delay'), ms: z.number().nonnegative() }),
  /** Ends the connection before the effect, or after it without an answer. */
  z.strictObject({ kind: z.literal('drop'), when: moment }),
  /** Resets the connection once this many bytes of the body have arrived. */
  z.strictObject({ kind: z.literal('reset-after-bytes'), bytes }),
  /** The effect, then this many bytes of the answer (head included), then a reset. */
  z.strictObject({ kind: z.literal('reset-in-answer'), bytes }),
  /** Storage reads the body at this rate; the service sends its answer at this rate. */
  z.strictObject({ kind: z.literal('trickle'), bytesPerSecond: z.number().positive() }),
  /** Treats this signed URL as expired. */
  z.strictObject({ kind: z.literal('expire-url') }),
  /** Never answers, never reads. */
  z.strictObject({ kind: z.literal('hang') }),
  /** Answers with XML before it reads the body, and closes. */
  z.strictObject({ kind: z.literal('early-answer'), status, code: z.string() }),
  /** The effect is right, but the etag in the answer is not. */
  z.strictObject({ kind: z.literal('mangle-etag') }),
  z.strictObject({ kind: z.literal('no-etag') }),
  /** Sends these bytes (Latin-1 text, or base64) on the socket instead of an answer, then ends the connection. */
  z.strictObject({ kind: z.literal('raw'), bytes: z.string(), base64: z.boolean().default(false) }),
  /** A JSON text of this many bytes without a stated length. */
  z.strictObject({ kind: z.literal('flood'), bytes }),
]);

/** One fault rule, as the control port accepts it. */
export const faultRuleSchema = z.strictObject({
  id: z.string().min(1).optional(),
  match: matchSchema,
  /** Applied at most this many times; without it, until removed. */
  times: z.number().int().positive().optional(),
  /** Number of matching requests that are let through first. */
  skip: z.number().int().nonnegative().default(0),
  probability: z.number().min(0).max(1).default(1),
  action: actionSchema,
});

export type FaultMatch = z.input<typeof matchSchema>;
export type FaultAction = z.infer<typeof actionSchema>;
export type FaultRule = z.input<typeof faultRuleSchema>;
export type KnownFaultRule = z.infer<typeof faultRuleSchema> & { readonly id: string };
