import { z } from 'zod';
import { failureCodes, requestIdSchema } from './failure.ts';

const text = z.string().exactOptional();
const count = z.int().min(0);
const requestIds = z.array(requestIdSchema).readonly().exactOptional();

/** Longest reason of a failed try that a history keeps, characters; the last one is kept in full beside it. */
export const MAX_REASON_LENGTH = 300;

/** Incidents that go before a clip are counted up to this number, those that are newer and those that will be gone. */
export const MOST_AHEAD = 100;

/** Why a try did not succeed: the part of its failure that is kept. */
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
 * The facts of an event of a clip or an incident, besides its time. A try is one event, written when it ends, in the
 * transaction that writes its result; what was opened and acknowledged during it comes before.
 */
export const historyFactsSchema = z.discriminatedUnion('kind', [
  /** First seen at `seenAt`, unchanged from `settledAt` on, and added to the queue. */
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
  /** Consecutive parts that storage acknowledged; the ids are those of the last one. */
  z.object({
    kind: z.literal('parts'),
    first: z.int().min(1),
    last: z.int().min(1),
    count,
    sizeBytes: count,
    requestIds,
  }),
  /** Parts that were sent while the file was still being written, and then compared with the file. */
  z.object({ kind: z.literal('ahead'), parts: count, of: count, sizeBytes: count }),
  /**
   * A try that did not succeed. `failed`: it is repeated at `nextTryAt`; `given-up`: it is not; `stopped`: a command or
   * the end of the agent interrupted it; `lost`: the agent ended unexpectedly.
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
  /** What was paused: the clip, its incident or the whole desk. */
  z.object({ kind: z.literal('paused'), by: z.enum(['clip', 'incident', 'desk']) }),
  z.object({ kind: z.literal('resumed'), by: z.enum(['clip', 'incident', 'desk']) }),
  z.object({ kind: z.literal('cancelled') }),
  /** A person marked the failed clip as needing no attention, or took that back. */
  z.object({ kind: z.literal('leftOut') }),
  z.object({ kind: z.literal('takenBack') }),
  /** A person asked to retry what was given up. */
  z.object({ kind: z.literal('retried') }),
  /** The file has changed: it is sent from its beginning, or as the clip of the next generation. */
  z.object({ kind: z.literal('changed'), sizeBytes: count, generation: z.int().min(1).exactOptional() }),
  /** What was sent differs from what was found; `foundSha256` is missing where it was not hashed then. */
  z.object({ kind: z.literal('altered'), foundSha256: text, sentSha256: z.string() }),
  /** A file that was given up as missing is back. */
  z.object({ kind: z.literal('returned') }),
  /** The file was written again, touched, renamed or moved, and is identical byte for byte. `from`: its path before. */
  z.object({ kind: z.literal('followed'), from: text }),
  /** The service was asked what it has of the incident. */
  z.object({ kind: z.literal('checked'), isKnown: z.boolean(), requestIds }),
  /** The service has this version of the incident. */
  z.object({ kind: z.literal('told'), version: count, requestIds }),
  /** Older events from number `from` on, merged into one: `tries` of them were tries that did not succeed. */
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
    /** Position in the history of its clip or incident; 0 for events of the whole desk. */
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
    /** When the current try began. */
    runningSince: text,
    /** When the next try is due. */
    nextTryAt: text,
    /**
     * Why a clip that could be sent is not sent yet: a person moved it, or this many newer incidents go first (up to
     * `MOST_AHEAD`).
     */
    turn: z
      .object({
        isMoved: z.boolean(),
        newer: count,
        /** Incidents before it whose files will soon be gone. */
        leaving: count,
        /** When its own files will be gone, ISO 8601 UTC: it goes first because of that. */
        goneAt: z.string().exactOptional(),
      })
      .readonly()
      .exactOptional(),
  })
  .readonly();
/** See `historySchema`. */
export type History = z.infer<typeof historySchema>;
