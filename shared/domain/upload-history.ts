import { z } from 'zod';
import { failureCodes, requestIdSchema } from './failure.ts';

const text = z.string().exactOptional();
const count = z.int().min(0);
const requestIds = z.array(requestIdSchema).readonly().exactOptional();

/** Longest reason of a failed try that a history keeps, characters; the last one stands whole beside it. */
export const MAX_REASON_LENGTH = 300;

/** Incidents that go before a clip are counted up to this number, those that are newer and those that will be gone. */
export const MOST_AHEAD = 100;

/** Why a try did not succeed: what is kept of its failure. */
const reasonSchema = z
  .object({
    code: z.enum(failureCodes),
    message: z.string(),
    /** HTTP status, when there was an answer. */
    status: z.number().exactOptional(),
    requestIds,
  })
  .readonly();
/** See `reasonSchema`. */
export type TryReason = z.infer<typeof reasonSchema>;

/**
 * What an event of a clip or an incident tells beside its time. A try is one event, written when it ends, in the
 * transaction that writes what became of it; what was opened and acknowledged in it comes before.
 */
export const historyFactsSchema = z.discriminatedUnion('kind', [
  /** First seen at `seenAt`, quiet from `settledAt` on, and entered into the queue. */
  z.object({
    kind: z.literal('queued'),
    generation: z.int().min(1).exactOptional(),
    seenAt: text,
    settledAt: text,
  }),
  z.object({
    kind: z.literal('opened'),
    uploadId: z.string(),
    storageKey: z.string(),
    parts: count,
    requestIds,
  }),
  /** Parts that storage acknowledged, one after the other; the ids are those of the last one. */
  z.object({
    kind: z.literal('parts'),
    first: z.int().min(1),
    last: z.int().min(1),
    count,
    sizeBytes: count,
    requestIds,
  }),
  /** Sent while the file was still being written: so many of its parts, which were then compared with the file. */
  z.object({ kind: z.literal('ahead'), parts: count, of: count, sizeBytes: count }),
  /**
   * A try that did not succeed. `failed`: it is repeated at `nextTryAt`; `given-up`: it is not; `stopped`: an order or
   * the end of the agent broke it off; `lost`: the agent ended without a word.
   */
  z.object({
    kind: z.literal('tried'),
    end: z.enum(['failed', 'given-up', 'stopped', 'lost']),
    reason: reasonSchema.exactOptional(),
    nextTryAt: text,
  }),
  /** A try that succeeded. `etag` is that of an object in one piece. */
  z.object({ kind: z.literal('uploaded'), storageKey: text, etag: text, requestIds }),
  /** The service had the clip already. */
  z.object({ kind: z.literal('known'), storageKey: text }),
  /** By whose name: the clip's, its incident's, or all of the desk. */
  z.object({ kind: z.literal('paused'), by: z.enum(['clip', 'incident', 'desk']) }),
  z.object({ kind: z.literal('resumed'), by: z.enum(['clip', 'incident', 'desk']) }),
  z.object({ kind: z.literal('cancelled') }),
  /** A person left the failed clip out of what waits for somebody, or no longer does. */
  z.object({ kind: z.literal('leftOut') }),
  z.object({ kind: z.literal('takenBack') }),
  /** A person asked for another try of what was given up. */
  z.object({ kind: z.literal('retried') }),
  /** The file is another than before: it is sent from its beginning, or as the clip of the next generation. */
  z.object({ kind: z.literal('changed'), sizeBytes: count, generation: z.int().min(1).exactOptional() }),
  /** What was sent is not what was found; `foundSha256` is missing where it was not hashed then. */
  z.object({ kind: z.literal('altered'), foundSha256: text, sentSha256: z.string() }),
  /** A file that was given up as gone is there again. */
  z.object({ kind: z.literal('returned') }),
  /** The file was written again, touched, renamed or moved, and is equal byte for byte. `from`: its path before. */
  z.object({ kind: z.literal('followed'), from: text }),
  /** The service was asked what it has of the incident. */
  z.object({ kind: z.literal('checked'), isKnown: z.boolean(), requestIds }),
  /** The service has the incident as of this version. */
  z.object({ kind: z.literal('told'), version: count, requestIds }),
  /** Older events from number `from` on, in one: `tries` of them were tries that did not succeed. */
  z.object({
    kind: z.literal('merged'),
    from: z.int().min(1),
    tries: count,
    lastCode: z.enum(failureCodes).nullish(),
  }),
]);
/** See `historyFactsSchema`. */
export type HistoryFacts = z.infer<typeof historyFactsSchema>;

/** One event. Times are ISO 8601 UTC; `startedAt` is when what ended here began. */
export const historyEventSchema = z
  .object({
    /** Place in the history of its clip or incident; 0 for what concerned the whole desk. */
    sequence: count,
    at: z.string(),
    startedAt: text,
    facts: historyFactsSchema,
  })
  .readonly();
/** See `historyEventSchema`. */
export type HistoryEvent = z.infer<typeof historyEventSchema>;

/** The clip or incident whose history is read. */
export const historySubjectSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('clip'), clipId: z.string() }),
  z.strictObject({ kind: z.literal('incident'), incidentId: z.string() }),
]);
/** See `historySubjectSchema`. */
export type HistorySubject = z.infer<typeof historySubjectSchema>;

/** What happened to a clip or an incident, oldest first. It is short enough to need no pages. */
export const historySchema = z
  .object({
    events: z.array(historyEventSchema).readonly(),
    /** When the try that is under way began. */
    runningSince: text,
    /** When the next try is due. */
    nextTryAt: text,
    /** Why a clip that could be sent is not sent yet: a person moved it, or so many newer incidents go first (up to `MOST_AHEAD`). */
    turn: z
      .object({
        isMoved: z.boolean(),
        newer: count,
        /** Incidents before it whose files will soon be gone. */
        leaving: count,
        /** When its own files will be gone, ISO 8601 UTC: it goes first for that. */
        goneAt: z.string().exactOptional(),
      })
      .readonly()
      .exactOptional(),
  })
  .readonly();
/** See `historySchema`. */
export type History = z.infer<typeof historySchema>;
