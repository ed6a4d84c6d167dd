import { z } from 'zod';
import { failureSchema } from '../../domain/failure.ts';
import { defineCall } from '../define-call.ts';

const nothing = z.strictObject({});

/** Where a key is kept; `credentials`: handed over by the service manager or by whoever starts the agent. */
export const keyPlaces = ['file', 'keyStore', 'memory', 'credentials'] as const;

/** What is told about the key: enough to know which one it is, never the key. */
export const keyStateSchema = z
  .object({
    isSet: z.boolean(),
    /** The first eight hexadecimal digits of its SHA-256. */
    fingerprint: z.string().exactOptional(),
    /** Why there is a key that cannot be used: KEY_FORMAT, KEY_FILE_OPEN. */
    failure: failureSchema.exactOptional(),
    /** Where it is kept, or a key that is entered now would be. */
    keptIn: z.enum(keyPlaces),
    /** Name of the key store as people know it: "Keychain". */
    keeperName: z.string().exactOptional(),
    /** True where the key store keeps other programs of the same account away too. */
    isGuardedFromPrograms: z.boolean().exactOptional(),
  })
  .readonly();
/** See `keyStateSchema`. */
export type KeyState = z.infer<typeof keyStateSchema>;

const nameTimeSchema = z
  .object({
    /** ISO 8601 UTC, corrected by the clock offset. */
    at: z.string(),
    confidence: z.enum(['high', 'medium', 'low']),
    /** What is doubtful about it: a doubled hour, one that the clock skipped. */
    note: z.string().exactOptional(),
  })
  .readonly();

/** What the agent reads out of a file name. */
export const nameReadingSchema = z
  .object({
    /** The way of naming that fits, as the settings call it. */
    profile: z.string(),
    cameraName: z.string().exactOptional(),
    recorder: z.string().exactOptional(),
    channel: z.string().exactOptional(),
    startedAt: nameTimeSchema.exactOptional(),
    endedAt: nameTimeSchema.exactOptional(),
  })
  .readonly();
/** See `nameReadingSchema`. */
export type NameReading = z.infer<typeof nameReadingSchema>;

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

/** Setting an agent up and finding out what is wrong with it. */
export const setupCalls = {
  /** The key in use. A key that cannot be read is an answer, not an error. */
  'settings.key': defineCall(nothing, keyStateSchema),
  /**
   * Keeps the key where `keptIn` says: in its file (mode 0600), which the settings then name, or in the key store of the
   * desktop. The key never comes back. Errors: KEY_FORMAT; CONFIG_MISSING when the settings come from no file; KEY_FILE_OPEN,
   * CONFIG_UNREADABLE when a file cannot be written; KEY_STORE.
   */
  'settings.setKey': defineCall(z.strictObject({ key: z.string().max(4096) }), keyStateSchema),
  /**
   * Deletes the stored key and stops the uploads, which wait for another key. No key is no error.
   * Errors: KEY_FILE_OPEN, KEY_STORE when it cannot be deleted; SETTING_MANAGED when whoever starts the agent hands it over.
   */
  'settings.forgetKey': defineCall(nothing, keyStateSchema),
  /** The ways of naming clips that a watched folder can be set to, beside `auto`. */
  'names.profiles': defineCall(nothing, z.object({ profiles: z.array(z.string()).readonly() }).readonly()),
  /** What would be read out of a file name; no `reading` when no way of naming fits. Errors: CONFIG_RANGE. */
  'names.try': defineCall(
    z.strictObject({
      name: z.string().min(1).max(255),
      profile: z.string().min(1).max(64),
      /** IANA name; default: the system's (service.md gap 28). */
      timeZone: z.string().min(1).max(64).exactOptional(),
      clockOffsetSeconds: z.number().min(-86_400).max(86_400).default(0),
    }),
    z.object({ reading: nameReadingSchema.exactOptional() }).readonly(),
  ),
  /** The last lines of the log, oldest first; `dropped` counts those from before, which are kept no more. */
  'health.log': defineCall(
    nothing,
    z.object({ lines: z.array(logLineSchema).readonly(), dropped: z.int().min(0) }).readonly(),
  ),
  /** Everything that support needs, redacted, to be read before it is saved. It takes as long as a test of the connection. */
  'health.bundle': defineCall(nothing, z.object({ files: z.array(bundleFileSchema).readonly() }).readonly()),
};
