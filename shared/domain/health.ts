import { z } from 'zod';
import { failureSchema } from './failure.ts';
import { seenCountsSchema } from './seen-export.ts';

const count = z.int().min(0);

/** The checks of the command `check`, in order; they need no agent. */
export const commandChecks = [
  'config',
  'policy',
  'data',
  'key',
  'address',
  'tls',
  'service',
  'permission',
  'clock',
  'folders',
] as const;
/** All checks. The pages have a word for each. */
export const checkNames = [...commandChecks, 'leaving', 'clean-up', 'ahead', 'exports'] as const;

/** One line of a check: what was checked, and what was found. */
export const checkLineSchema = z
  .object({
    name: z.enum(checkNames),
    state: z.enum(['ok', 'warning', 'failed', 'skipped']),
    text: z.string(),
    failure: failureSchema.exactOptional(),
  })
  .readonly();
/** See `checkLineSchema`. */
export type CheckLine = z.infer<typeof checkLineSchema>;

/** The state of the agent. Times are ISO 8601 UTC. */
export const healthSchema = z
  .object({
    versions: z.object({ agent: z.string(), node: z.string(), sqlite: z.string() }).readonly(),
    startedAt: z.string(),
    /** A person paused all uploads. */
    isPaused: z.boolean(),
    /** Circuits that cannot be used now; the queue waits. `desk`: the disk of the data directory. */
    pausedCircuits: z
      .array(
        z
          .object({
            circuit: z.enum(['service', 'storage', 'desk']),
            failure: failureSchema,
            since: z.string(),
          })
          .readonly(),
      )
      .readonly(),
    /** Problems in the data directory that this start found and fixed. */
    findings: z.array(z.object({ code: z.string(), message: z.string() }).readonly()).readonly(),
    /** Service time minus local time, milliseconds; 0 until an answer was seen. */
    clockSkewMs: z.number(),
    /** How long the service's last answer took, milliseconds, and since when it has been slow or has not answered. */
    answers: z
      .object({
        lastMs: count.exactOptional(),
        slowSince: z.string().exactOptional(),
        unanswered: z.object({ failure: failureSchema, since: z.string() }).readonly().exactOptional(),
      })
      .readonly(),
    /** The chain that proves what this desk did, and the key that it signs with. */
    proof: z
      .object({
        /** Missing until the check of this start has ended. */
        rows: count.exactOptional(),
        /** Rows that were removed because of their age. */
        removed: count.exactOptional(),
        /** Problems of the chain: a sentence each. */
        problems: z.array(z.string()).readonly(),
        /** Fingerprint of the signing key: SHA-256, lower-case hexadecimal. */
        key: z
          .object({ fingerprint: z.string(), keptIn: z.enum(['keyStore', 'file']) })
          .readonly()
          .exactOptional(),
        keyProblem: z.string().exactOptional(),
        /** When the newest hash was last recorded outside the database. */
        statedAt: z.string().exactOptional(),
        systemLog: z.object({ name: z.string(), takes: z.boolean() }).readonly().exactOptional(),
      })
      .readonly(),
    roots: z
      .array(
        z
          .object({
            path: z.string(),
            isOnline: z.boolean(),
            /** Files that were seen and wait to settle. */
            settling: count,
            failure: failureSchema.exactOptional(),
            /** When it was last scanned completely: the last proof that a new export is noticed. */
            scannedAt: z.string().exactOptional(),
            /** Containers whose clips wait for the whole settle time, because some changed after an earlier end. */
            inFull: z
              .array(z.object({ container: z.string(), until: z.string() }).readonly())
              .readonly()
              .exactOptional(),
            /**
             * How long exports stay in it, from its settings or learned from `seen` that disappeared; missing: not
             * known.
             */
            keeps: z
              .object({ hours: z.number(), isLearned: z.boolean(), seen: count.exactOptional() })
              .readonly()
              .exactOptional(),
            /**
             * Containers whose clips are not sent while being written, because too much of them had to be sent again.
             */
            notAhead: z
              .array(z.object({ container: z.string(), until: z.string() }).readonly())
              .readonly()
              .exactOptional(),
            /** When the system last reported a change in it; missing: never, as on many shares. */
            eventAt: z.string().exactOptional(),
          })
          .readonly(),
      )
      .readonly(),
    /** What was sent while being written and had to be sent again, within a day; missing: this is turned off. */
    ahead: z
      .object({
        wastedBytes: count,
        limitBytes: count,
        /** The service refuses what this needs; it is retried then. */
        refusedUntil: z.string().exactOptional(),
      })
      .readonly()
      .exactOptional(),
    /**
     * The line's limit now, by `upload.schedule`, on the battery or on a metered connection, bytes per second; missing:
     * none.
     */
    line: z
      .object({
        limit: z.union([z.literal('pause'), z.literal('full'), z.number()]),
        /** When it may change next. */
        until: z.string().exactOptional(),
        /** The limit is due to the battery. */
        isOnBattery: z.literal(true).exactOptional(),
        /** The limit is due to the metered connection. */
        isMetered: z.literal(true).exactOptional(),
        /** A person lifted all limits, until then. */
        isLifted: z.literal(true).exactOptional(),
        /** A policy sets the limits: nobody lifts them here. */
        isManaged: z.literal(true).exactOptional(),
      })
      .readonly()
      .exactOptional(),
    /**
     * Incidents whose files are expected to be gone before they would be fully sent in turn: they go first. `late` will
     * not be sent in time even so. Missing: there are none.
     */
    leaving: z
      .object({
        incidents: count,
        clips: count,
        bytes: count,
        /** The one whose files are gone first, when that is, and when it would be fully sent in turn. */
        firstId: z.string(),
        firstGoneAt: z.string(),
        firstSentInTurnAt: z.string().exactOptional(),
        late: z.object({ incidents: count, bytes: count }).readonly(),
        /** Speed of the line, as far as it was measured. */
        bytesPerSecond: count.exactOptional(),
        /** All of that in words. */
        message: z.string(),
      })
      .readonly()
      .exactOptional(),
    /** What happens to exports that are proved to be stored; missing: no policy asks for anything. */
    cleanUp: z
      .object({
        action: z.enum(['move', 'delete']),
        afterDays: count,
        /** Turned off, because several desks share a site. */
        isOff: z.boolean(),
        /** Found stored, and due later. */
        waiting: count,
        done: count,
        /** Exports that stay, and why. */
        kept: z.array(z.object({ folder: z.string(), reason: z.string() }).readonly()).readonly(),
      })
      .readonly()
      .exactOptional(),
    /** The organisation's policy; missing: nobody manages this desk. */
    policy: z
      .object({
        /** Where it was found. */
        places: z.array(z.string()).readonly(),
        /** How many settings it fixes. */
        settings: count,
        /** The policy in force from its signed address. */
        signed: z
          .object({
            url: z.string(),
            sequence: count,
            issuedAt: z.string(),
            /** When the address last confirmed it. */
            checkedAt: z.string(),
            /** Why there is no newer one: a sentence. */
            problem: z.string().exactOptional(),
          })
          .readonly()
          .exactOptional(),
      })
      .readonly()
      .exactOptional(),
    /** Exports that were seen and are not fully in the queue. */
    exports: seenCountsSchema,
    queue: z
      .object({
        incidents: count,
        /** Incidents whose newest version the service does not have. */
        unsynced: count,
        waiting: count,
        uploaded: count,
        failed: count,
        /** Failed clips that "retry all" would retry; missing when there are too many to check each. */
        retryable: count.exactOptional(),
        /** Incidents whose record the service refused: they wait for a person. */
        refused: count,
        waitingBytes: count,
        databaseBytes: count,
        lastUploadedAt: z.string().exactOptional(),
      })
      .readonly(),
  })
  .readonly();
/** See `healthSchema`. */
export type Health = z.infer<typeof healthSchema>;

/** The state of a desk, for people other than its operator: figures and times, no names. Times are ISO 8601 UTC. */
export const deskSummarySchema = z
  .object({
    /** A person paused all uploads. */
    isPaused: z.boolean(),
    /** `paused`: how many of them a person paused individually; `since`: when the oldest of them was queued. */
    waiting: z
      .object({ clips: count, paused: count, bytes: count, since: z.string().exactOptional() })
      .readonly(),
    /** Clips that were given up, by failure code, the most frequent first; `since`: the first of them. */
    failed: z
      .array(z.object({ code: z.string(), clips: count, since: z.string().exactOptional() }).readonly())
      .readonly(),
    /** Incidents whose record the service refused. */
    refused: count,
    /** Exports that wait for a person. */
    exports: z.object({ count, since: z.string().exactOptional() }).readonly(),
    lastSentAt: z.string().exactOptional(),
  })
  .readonly();
/** See `deskSummarySchema`. */
export type DeskSummary = z.infer<typeof deskSummarySchema>;
