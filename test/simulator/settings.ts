import { z } from 'zod';

/** How a request must present the key: the same three schemes that the client can be set to. */
export const keyPlacementSchema = z.discriminatedUnion('scheme', [
  z.strictObject({ scheme: z.literal('bearer') }),
  z.strictObject({ scheme: z.literal('header'), name: z.string().min(1), prefix: z.string().optional() }),
  z.strictObject({ scheme: z.literal('query'), name: z.string().min(1) }),
]);

/** A key that the service knows, and whether it may call endpoints 1 to 6. */
export const keySchema = z.strictObject({ key: z.string().min(1), videoPermission: z.boolean() });

/** Settings that can be changed while the simulator runs, over the control port or by `configure`. */
export const settingsSchema = z.strictObject({
  urlLifetimeSeconds: z.number().int().positive(),
  maxUploadSizeMb: z.number(),
  clockOffsetMs: z.number(),
  keyPlacement: keyPlacementSchema,
  /** After this long without a byte of the body: 400 RequestTimeout. */
  requestTimeoutMs: z.number().int().positive(),
  /** `per-request`: each create returns a new key. `per-file`: a file keeps its key until an incident lists it. */
  multipartKeys: z.enum(['per-request', 'per-file']),
  /** The same for uploads in one piece, for each request for upload URLs. */
  singleKeys: z.enum(['per-request', 'per-file']),
  /** What happens to details that a PUT of an incident leaves out (service.md gap 13). */
  omittedDetails: z.enum(['kept', 'erased']),
  /** The answer to completing an upload twice: AWS forgets the upload, other stores repeat the answer. */
  repeatedComplete: z.enum(['no-such-upload', 'same-answer']),
  /** Pages of a period's actions: none, page counts in the body, or a `Link` header (service.md gap 17). */
  actionsPaging: z.enum(['none', 'pages', 'link']),
  actionsPerPage: z.number().int().positive(),
  /** Where the answer to a message carries its id: the property, or an `id` inside it (service.md gap 21). */
  messageIdShape: z.enum(['id', 'message_id', 'chat_message', 'message', 'chat_message_id', 'none']),
  /** Which method changes a user (service.md gap 24); the other one gets a 405. */
  userUpdateMethod: z.enum(['POST', 'PUT', 'both']),
});

export type KeyPlacement = z.infer<typeof keyPlacementSchema>;
export type KnownKey = z.infer<typeof keySchema>;
export type SimulatorSettings = z.infer<typeof settingsSchema>;

export const defaultSettings: SimulatorSettings = {
  urlLifetimeSeconds: 7200,
  maxUploadSizeMb: -1,
  clockOffsetMs: 0,
  keyPlacement: { scheme: 'bearer' },
  requestTimeoutMs: 20_000,
  multipartKeys: 'per-request',
  singleKeys: 'per-file',
  omittedDetails: 'kept',
  repeatedComplete: 'no-such-upload',
  actionsPaging: 'none',
  actionsPerPage: 100,
  messageIdShape: 'id',
  userUpdateMethod: 'POST',
};
