import { z } from 'zod';
import { checkLineSchema, deskSummarySchema, healthSchema } from '../../domain/health.ts';
import { defineCall } from '../envelope.ts';

const nothing = z.strictObject({});
const text = z.string().exactOptional();
const count = z.int().min(0).exactOptional();

/** Levels of the log, from the least to the most important. */
export const logLineLevels = ['debug', 'info', 'warn', 'error'] as const;

/** One line of the log, redacted. */
export const logLineSchema = z
  .object({
    /** Counts from 1 since the start of the agent. */
    number: z.int().min(1),
    /** ISO 8601 UTC. */
    at: z.string(),
    level: z.enum(logLineLevels),
    message: z.string(),
    /** The fields of the line as JSON; empty without any. */
    fields: z.string(),
  })
  .readonly();
/** See `logLineSchema`. */
export type LogLine = z.infer<typeof logLineSchema>;

/** Rows of the chain that one answer searches. */
export const ACTIVITY_SCANNED = 500;

/**
 * One row of the chain, which records what was done at this desk. Its subject is named as far as the queue still has
 * it. The row of a person's command that was carried out has the state `done`, and says what it was about.
 */
export const activityEntrySchema = z
  .object({
    /** Number in the chain. */
    sequence: z.int().min(1),
    /** ISO 8601 UTC. */
    at: z.string(),
    /** System account that the agent ran under. */
    account: z.string(),
    /** `clip.sent`, `record.written`, or the name of a call. */
    action: z.string(),
    state: z.enum(['asked', 'done', 'refused', 'broken']).exactOptional(),
    incidentId: text,
    clipId: text,
    /** Title of the incident, as it is now. */
    title: text,
    /** Path of the clip inside its export. */
    file: text,
    sizeBytes: count,
    /** How many clips, incidents or folders a command named. */
    named: count,
    /** Code of a failure, and its reason as long as the clip has it. */
    code: text,
    reason: text,
    /** The row as it is in the chain, and the beginning of its hash. */
    detail: z.string(),
    hash: z.string(),
  })
  .readonly();
/** See `activityEntrySchema`. */
export type ActivityEntry = z.infer<typeof activityEntrySchema>;

/** Rows, newest first; `before` leads to the older ones, and is missing at the beginning of the chain. */
export const activitySchema = z
  .object({
    entries: z.array(activityEntrySchema).readonly(),
    before: z.int().min(1).exactOptional(),
  })
  .readonly();
/** See `activitySchema`. */
export type Activity = z.infer<typeof activitySchema>;

/** A file of the diagnostics bundle, as it would be saved. */
export const bundleFileSchema = z.object({ name: z.string(), text: z.string() }).readonly();
/** See `bundleFileSchema`. */
export type BundleFile = z.infer<typeof bundleFileSchema>;

/** The state of the agent, and how to find out what is wrong with it. */
export const healthCalls = {
  'health.get': defineCall(nothing, healthSchema),
  /** What waits, what failed and since when, without names: for a screen that everyone can see. */
  'health.summary': defineCall(nothing, deskSummarySchema),
  /** Name resolution, TLS, key, video permission and clock, one line each, with the settings in force. */
  'connection.check': defineCall(
    nothing,
    z.object({ lines: z.array(checkLineSchema).readonly() }).readonly(),
  ),
  /**
   * What was done at this desk and what became of clips and incidents: the newest rows of the chain, or those before a
   * number.
   */
  'health.activity': defineCall(z.strictObject({ before: z.int().min(1).exactOptional() }), activitySchema),
  /** The last lines of the log, oldest first; `dropped` counts earlier ones, which are no longer kept. */
  'health.log': defineCall(
    nothing,
    z.object({ lines: z.array(logLineSchema).readonly(), dropped: z.int().min(0) }).readonly(),
  ),
  /**
   * Everything that support needs, redacted, for a person to read before it is saved. Takes as long as a connection
   * check.
   */
  'health.bundle': defineCall(nothing, z.object({ files: z.array(bundleFileSchema).readonly() }).readonly()),
};
