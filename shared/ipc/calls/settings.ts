import { z } from 'zod';
import { failureSchema } from '../../domain/failure.ts';
import { dayOrders } from '../../domain/naming-settings.ts';
import { settingsSchema } from '../../domain/settings.ts';
import { defineCall } from '../envelope.ts';

const nothing = z.strictObject({});

/** The settings that a person can change here; the key is not among them and is never sent. */
export const settingsViewSchema = z
  .object({
    settings: settingsSchema.omit({ apiKeyFile: true, proxyCredentialsFile: true, metrics: true }),
    /** The file that they come from; missing when the host got them another way and cannot save them. */
    file: z.string().exactOptional(),
    /** True when what is saved differs from what the agent runs with. */
    needsRestart: z.boolean(),
    /** Settings that are fixed from outside and cannot be changed here, as paths: `baseUrl`, `upload`, `users.updateMethod`. */
    managed: z.array(z.string()).readonly().exactOptional(),
    /** Present in a demo: there is a simulated service, and its key is stored. */
    isDemo: z.literal(true).exactOptional(),
  })
  .readonly();
/** See `settingsViewSchema`. */
export type SettingsView = z.infer<typeof settingsViewSchema>;

const {
  baseUrl,
  auth,
  proxy,
  siteId,
  watch,
  patterns,
  cameras,
  upload,
  incident,
  evidence,
  retention,
  users,
} = settingsSchema.shape;

/**
 * The sections to replace. Their defaults are removed: with them, a section that nobody named would be filled in and
 * overwrite the one in the file.
 */
export const settingsChangeSchema = z
  .strictObject({
    baseUrl,
    auth: auth.unwrap(),
    proxy: proxy.unwrap(),
    siteId: siteId.unwrap(),
    watch: watch.unwrap(),
    patterns: patterns.unwrap(),
    cameras: cameras.unwrap(),
    upload: upload.unwrap(),
    incident: incident.unwrap(),
    evidence: evidence.unwrap(),
    retention: retention.unwrap(),
    users: users.unwrap(),
  })
  .partial()
  .readonly();
/** See `settingsChangeSchema`. */
export type SettingsChange = z.infer<typeof settingsChangeSchema>;

/** Where a key is kept; `credentials`: passed in by the service manager or by whoever starts the agent. */
export const keyPlaces = ['file', 'keyStore', 'memory', 'credentials'] as const;

/** What is shown of the key: enough to tell which one it is, never the key. */
export const keyStateSchema = z
  .object({
    isSet: z.boolean(),
    /** The first eight hexadecimal digits of its SHA-256. */
    fingerprint: z.string().exactOptional(),
    /** Why there is a key that cannot be used: KEY_FORMAT, KEY_FILE_OPEN. */
    failure: failureSchema.exactOptional(),
    /** Where it is kept, or where a key that is entered now would be. */
    keptIn: z.enum(keyPlaces),
    /** Name of the key store as people know it: "Keychain". */
    keeperName: z.string().exactOptional(),
    /** True where the key store also protects it from other programs of the same account. */
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
    /** The naming profile that matches, as the settings call it. */
    profile: z.string(),
    cameraName: z.string().exactOptional(),
    recorder: z.string().exactOptional(),
    channel: z.string().exactOptional(),
    /** Address, MAC or serial number of the camera. */
    device: z.string().exactOptional(),
    startedAt: nameTimeSchema.exactOptional(),
    endedAt: nameTimeSchema.exactOptional(),
  })
  .readonly();
/** See `nameReadingSchema`. */
export type NameReading = z.infer<typeof nameReadingSchema>;

const patternSampleSchema = z
  .object({
    name: z.string(),
    /** `no-time`: it matches, but what it reads as a time does not exist. */
    fits: z.enum(['yes', 'no', 'no-time']),
    /** Which characters are read as what, in order. */
    parts: z
      .array(
        z
          .object({
            kind: z.enum(['camera', 'channel', 'device', 'recorder', 'date', 'time', 'end']),
            from: z.int().min(0),
            to: z.int().min(0),
          })
          .readonly(),
      )
      .readonly(),
    reading: nameReadingSchema.exactOptional(),
    /** The start in local time. */
    local: z.string().exactOptional(),
  })
  .readonly();
/** A sample of a pattern, as it is read. */
export type PatternSample = z.infer<typeof patternSampleSchema>;

const patternPreviewSchema = z
  .object({
    /** Why the pattern cannot be used, as the end of a sentence about it. */
    problem: z.string().exactOptional(),
    samples: z.array(patternSampleSchema).readonly(),
    /** How many of the watched folder's newest clips were tried. */
    looked: z.int().min(0),
    /** How many of them would be read differently. */
    different: z.int().min(0),
    examples: z.array(z.string()).readonly(),
  })
  .readonly();
/** Longest path that is tried, characters: eight names of folders, most of them short. */
const MAX_PATH_LENGTH = 1000;

/** The settings, the key, and previews of how file names are read. */
export const settingsCalls = {
  'settings.get': defineCall(nothing, settingsViewSchema),
  /**
   * Replaces the named sections of the file; the others stay as they are written there.
   * Errors: CHANGED_ELSEWHERE; the CONFIG_ codes with `fields`, and the ROOT_ codes of folders that must not be watched; nothing was written.
   * SETTING_MANAGED with `fields` for what is fixed from outside; CONFIG_UNREADABLE when the file cannot be written,
   * CONFIG_MISSING when it is gone. A desk that was never set up gets its file.
   */
  'settings.save': defineCall(
    z.strictObject({
      change: settingsChangeSchema,
      /** Sections as they were when the change began; if one has changed since, the answer is CHANGED_ELSEWHERE. */
      before: settingsChangeSchema.exactOptional(),
    }),
    settingsViewSchema,
  ),
  /**
   * Restarts the agent with the settings in the file; uploads continue where they were. If that fails, it continues
   * with the previous settings and says so. Errors: the CONFIG_ codes.
   */
  'settings.apply': defineCall(nothing, z.object({}).readonly()),
  /** The key in use. A key that cannot be read is an answer, not an error. */
  'settings.key': defineCall(nothing, keyStateSchema),
  /**
   * Saves the key where `keptIn` says: in its file (mode 0600), which the settings then name, or in the key store of
   * the desktop. The key is never returned. Errors: KEY_FORMAT; CONFIG_MISSING when the settings come from no file;
   * KEY_FILE_OPEN, CONFIG_UNREADABLE when a file cannot be written; KEY_STORE.
   */
  'settings.setKey': defineCall(z.strictObject({ key: z.string().max(4096) }), keyStateSchema),
  /**
   * Deletes the stored key and stops the uploads, which wait for another key. Having no key is not an error. Errors:
   * KEY_FILE_OPEN, KEY_STORE when it cannot be deleted; SETTING_MANAGED when whoever starts the agent passes it in.
   */
  'settings.forgetKey': defineCall(nothing, keyStateSchema),
  /** The naming profiles that a watched folder can be set to, besides `auto`. */
  'names.profiles': defineCall(nothing, z.object({ profiles: z.array(z.string()).readonly() }).readonly()),
  /**
   * What would be read from a file's name or path; no `reading` when no system matches, or several do. Errors:
   * CONFIG_RANGE.
   */
  'names.try': defineCall(
    z.strictObject({
      name: z.string().min(1).max(MAX_PATH_LENGTH),
      profile: z.string().min(1).max(64),
      /** IANA name; default: the system's (service.md gap 28). */
      timeZone: z.string().min(1).max(64).exactOptional(),
      clockOffsetSeconds: z.number().min(-86_400).max(86_400).default(0),
      /** Whether day or month comes first; missing: not known. */
      dateOrder: z.enum(dayOrders).exactOptional(),
      /** Watched folder whose patterns apply; without it, those for all. */
      folder: z.string().max(4096).exactOptional(),
    }),
    z.object({ reading: nameReadingSchema.exactOptional() }).readonly(),
  ),
  /** What a pattern, saved or not, would read and change. Errors: CONFIG_RANGE. */
  'names.preview': defineCall(
    z.strictObject({ pattern: patterns.unwrap().element, watch: watch.unwrap().element }),
    patternPreviewSchema,
  ),
  /** Cameras of the newest clips that nobody has named, the most frequent first. */
  'cameras.unnamed': defineCall(
    nothing,
    z
      .object({
        cameras: z
          .array(
            z
              .object({ cameraName: z.string().exactOptional(), cameraId: z.string(), clips: z.int().min(1) })
              .readonly(),
          )
          .readonly(),
      })
      .readonly(),
  ),
};

/** The path of a setting in one spelling: `change.watch.0.path` of a call is `watch[0].path` of the file. */
export function settingPath(name: string): string {
  return name.replace(/^change\./, '').replaceAll(/\.(\d+)(?=\.|$)/g, '[$1]');
}

/** Whether a setting is fixed from outside, on its own or with its group. */
export function isManaged(managed: readonly string[], path: string): boolean {
  return managed.some((each) => {
    const fixed = settingPath(each);
    return path === fixed || path.startsWith(`${fixed}.`) || path.startsWith(`${fixed}[`);
  });
}
