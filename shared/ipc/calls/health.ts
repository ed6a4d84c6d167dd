import { z } from 'zod';
import { checkLineSchema, healthSchema } from '../../domain/health.ts';
import { defineCall } from '../envelope.ts';

const nothing = z.strictObject({});

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

/** A file of the diagnostics bundle, as it would be saved. */
export const bundleFileSchema = z.object({ name: z.string(), text: z.string() }).readonly();
/** See `bundleFileSchema`. */
export type BundleFile = z.infer<typeof bundleFileSchema>;

/** How the agent is, and finding out what is wrong with it. */
export const healthCalls = {
  'health.get': defineCall(nothing, healthSchema),
  /** Name resolution, TLS, key, video permission and clock, one line each, with the settings in force. */
  'connection.check': defineCall(
    nothing,
    z.object({ lines: z.array(checkLineSchema).readonly() }).readonly(),
  ),
  /** The last lines of the log, oldest first; `dropped` counts those from before, which are kept no more. */
  'health.log': defineCall(
    nothing,
    z.object({ lines: z.array(logLineSchema).readonly(), dropped: z.int().min(0) }).readonly(),
  ),
  /** Everything that support needs, redacted, to be read before it is saved. It takes as long as a test of the connection. */
  'health.bundle': defineCall(nothing, z.object({ files: z.array(bundleFileSchema).readonly() }).readonly()),
};
