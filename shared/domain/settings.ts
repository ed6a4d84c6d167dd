import { z } from 'zod';
import { folderFields, namingFields } from './naming-settings.ts';
import { proxySchema } from './proxy-settings.ts';
import { aheadFields, onBatterySchema, onMeteredSchema, scheduleSchema } from './line-schedule.ts';

const MIB = 1024 * 1024;
/** Largest part that object storage takes, bytes (5 GiB). */
export const MAX_PART_BYTES = 5 * 1024 * MIB;
/** Smallest part that object storage takes, except for the last one, bytes (5 MiB). */
export const MIN_PART_BYTES = 5 * MIB;
/** Most parts in one multipart upload. */
export const MAX_PART_COUNT = 10_000;
/** Size from which a clip is sent in parts, bytes (service.md "Limits": about 100 MB; gap 4). */
export const DEFAULT_MULTIPART_THRESHOLD_BYTES = 100_000_000;

/** Limits of the settings: the schema refuses what is outside of them, and the pages offer nothing else. */
export const settingLimits = {
  watch: {
    /** Folders. */
    most: 64,
    settleSeconds: { least: 0.1, most: 3600 },
    /** A day either way. */
    clockOffsetSeconds: { least: -86_400, most: 86_400 },
    windowMinutes: { least: 1, most: 240 },
    /** Ten years. */
    keepsDays: { least: 1, most: 3650 },
  },
  upload: {
    multipartThresholdBytes: { least: MIN_PART_BYTES, most: DEFAULT_MULTIPART_THRESHOLD_BYTES },
    concurrentFiles: { least: 1, most: 16 },
    concurrentParts: { least: 1, most: 32 },
    maxBytesPerSecond: { least: 1024 },
  },
  retention: {
    /** Ten years. */
    incidentsDays: { least: 0, most: 3650 },
    auditMonths: { least: 0, most: 120 },
  },
} as const;

/**
 * What one incident is: each folder of the watched one; each loose clip with what belongs to it, and each folder; each
 * folder that holds clips; each folder below those of year, month and day; each `<job>/<run>/`; the clips of all cameras
 * whose times overlap or lie close to each other.
 */
export const watchUnits = ['folder', 'file', 'leaf', 'dateFolders', 'run', 'window'] as const;
/** One of `watchUnits`. */
export type WatchUnit = (typeof watchUnits)[number];

/** When an incident is published: as its clips arrive, or once with all of them. */
export const publishTimes = ['progressive', 'whenComplete'] as const;
/** What is sent of an incident or a clip of unknown time: no time, or when its file was last written. */
export const unknownTimes = ['omit', 'fileTime'] as const;
/** When clips are hashed for comparison with what is sent. */
export const hashTimes = ['auto', 'always', 'never'] as const;
/** The method by which the service takes changes of users. */
export const updateMethods = ['POST', 'PUT'] as const;

const authSchema = z
  .discriminatedUnion('scheme', [
    z.strictObject({ scheme: z.literal('bearer') }),
    z.strictObject({
      scheme: z.literal('header'),
      name: z
        .string()
        .regex(/^[A-Za-z0-9-]{1,64}$/, 'must be a header name of up to 64 letters, digits and hyphens'),
      prefix: z.string().max(64).optional(),
    }),
    z.strictObject({
      scheme: z.literal('query'),
      name: z
        .string()
        .regex(/^[A-Za-z0-9_.-]{1,64}$/, 'must be up to 64 letters, digits, dots, hyphens and underscores'),
    }),
  ])
  .default({ scheme: 'bearer' })
  .describe(
    'How the API key is sent: `{"scheme": "bearer"}`, `{"scheme": "header", "name": "X-Api-Key", "prefix": "Key "}` (`prefix` is optional), or `{"scheme": "query", "name": "api_key"}`.',
  );

function numberWithin({ least, most }: { readonly least: number; readonly most: number }) {
  return z.number().min(least).max(most);
}

const watchSchema = z.strictObject({
  path: z.string().min(1).describe('Folder to watch.'),
  unit: z
    .enum(watchUnits)
    .default('folder')
    .describe(
      'What counts as one incident. `folder`: each folder in the watched folder. `file`: each loose clip with its pictures and companions, and each folder. `leaf`: each folder that contains clips. `dateFolders`: each folder below the year, month and day folders. `run`: each `<job>/<run>` folder. `window`: clips of all cameras whose times overlap or are at most `windowMinutes` apart. A change does not affect what is already in the queue.',
    ),
  windowMinutes: numberWithin(settingLimits.watch.windowMinutes)
    .default(10)
    .describe('With `window`, the longest gap between clips of one incident, in minutes.'),
  timeZone: z
    .string()
    .min(1)
    .optional()
    .describe("IANA time zone of the times in file names. Default: the system's time zone."),
  profile: z
    .string()
    .min(1)
    .default('auto')
    .describe('Vendor or pattern that the file names follow; `auto` tries all.'),
  settleSeconds: numberWithin(settingLimits.watch.settleSeconds)
    .default(30)
    .describe(
      'How long a file must stay unchanged before it is queued. A clip known to be finished usually waits at most 5 s.',
    ),
  clockOffsetSeconds: numberWithin(settingLimits.watch.clockOffsetSeconds)
    .default(0)
    .describe("Correction for the recorder's clock, added to the times in file names and clips."),
  keepsDays: numberWithin(settingLimits.watch.keepsDays)
    .optional()
    .describe(
      'Days after which the recorder deletes exports from the folder. Without it, the agent learns this from exports that disappear. An export that may be deleted before it is sent is reported and sent first.',
    ),
  ...folderFields,
});

const uploadSchema = z
  .strictObject({
    multipartThresholdBytes: numberWithin(settingLimits.upload.multipartThresholdBytes)
      .int()
      .default(DEFAULT_MULTIPART_THRESHOLD_BYTES)
      .describe('Clips of this many bytes or more are sent in parts.'),
    partSizeBytes: z
      .number()
      .int()
      .min(MIN_PART_BYTES)
      .max(MAX_PART_BYTES)
      .optional()
      .describe('Size of a part in bytes, doubled until a clip has at most 10,000 parts. Default: 8 MiB.'),
    concurrentFiles: numberWithin(settingLimits.upload.concurrentFiles)
      .int()
      .default(2)
      .describe('How many clips are sent in parts at the same time. Small clips have their own connections.'),
    concurrentParts: numberWithin(settingLimits.upload.concurrentParts)
      .int()
      .default(4)
      .describe(
        'How many parts of a clip are sent at the same time. Across all clips, at most 4 parts are sent at once, unless `concurrentFiles` times `concurrentParts` is more than 8 or parts are larger than 8 MiB; in that case, clips are read twice.',
      ),
    maxBytesPerSecond: z
      .number()
      .int()
      .min(settingLimits.upload.maxBytesPerSecond.least)
      .nullable()
      .default(null)
      .describe('Limit for all uploads together, in bytes per second; `null` for none.'),
    ...aheadFields,
    schedule: scheduleSchema,
    onBattery: onBatterySchema,
    onMetered: onMeteredSchema,
    hosts: z
      .array(z.string().min(1).max(255))
      .max(32)
      .default([])
      .describe('Allowed storage hosts: `name[:port]` or `*.suffix[:port]`. Empty: public hosts, port 443.'),
  })
  .prefault({});

/**
 * The configuration file of the agent, with its limits, defaults and descriptions: errors, policies and
 * docs/settings.md take them from here.
 */
export const settingsSchema = z.strictObject({
  baseUrl: z
    .string()
    .min(1)
    .optional()
    .describe('Address of the service, including its version: `https`, or `http` for a service on this PC.'),
  apiKeyFile: z
    .string()
    .min(1)
    .optional()
    .describe(
      "File that contains only the API key, readable by its owner only (mode 0600). Without it, the desktop app's own key or the systemd credential `api-key` is used.",
    ),
  auth: authSchema,
  proxy: proxySchema,
  // Not in `proxy`, whose fields the pages may change: a page must not be able to name a file.
  proxyCredentialsFile: z
    .string()
    .min(1)
    .optional()
    .describe('File that contains `name:password` for the proxy, readable by its owner only (mode 0600).'),
  siteId: z
    .string()
    .regex(/^[A-Za-z0-9._-]{0,64}$/, 'must be up to 64 letters, digits, dots, hyphens and underscores')
    .default('')
    .describe(
      'Name shared by desks that watch the same folders under the same paths, so that nothing is sent twice.',
    ),
  watch: z.array(watchSchema).max(settingLimits.watch.most).default([]).describe('Watched folders.'),
  ...namingFields,
  upload: uploadSchema,
  incident: z
    .strictObject({
      publish: z
        .enum(publishTimes)
        .default('progressive')
        .describe(
          'When an incident is synced. `progressive`: as soon as it is known, and again as its clips are sent; `whenComplete`: after its last clip.',
        ),
      unknownTimes: z
        .enum(unknownTimes)
        .default('omit')
        .describe(
          'What is sent as the time of an incident or clip whose recording time is not known. `omit`: nothing; the description says when the file was last written. `fileTime`: when the file was last written, although copying or exporting may have changed that. Applies to exports that are queued from then on.',
        ),
    })
    .prefault({}),
  evidence: z
    .strictObject({
      hashAtIntake: z
        .enum(hashTimes)
        .default('auto')
        .describe(
          'When a clip is hashed for comparison with what is sent. `auto`: before it is queued if it is smaller than 256 MiB, otherwise while nothing is being sent; `always`: before it is queued; `never`: only when it is sent.',
        ),
      headChannel: z
        .string()
        .min(1)
        .max(200)
        .optional()
        .describe("ID of the channel that receives the latest hash of this desk's chain once a day."),
      timestampUrl: z
        .string()
        .max(2048)
        .regex(/^https?:\/\/[^\s/?#@]+[^\s#@]*$/, 'must be an http:// or https:// address')
        .optional()
        .describe(
          'Time-stamp service (RFC 3161) that receives the hash of each custody pack. Without a valid response, packs have no time-stamp.',
        ),
    })
    .prefault({}),
  retention: z
    .strictObject({
      incidentsDays: numberWithin(settingLimits.retention.incidentsDays)
        .int()
        .default(90)
        .describe(
          'Days after which finished incidents (synced, with all clips sent, cancelled, left out or missing) are removed from the lists; 0 for never. Incidents with other failed clips stay. Files of removed incidents are remembered and not sent again.',
        ),
      auditMonths: numberWithin(settingLimits.retention.auditMonths)
        .int()
        .default(24)
        .describe('Months after which rows are removed from the audit trail; 0 for never.'),
    })
    .prefault({}),
  metrics: z
    .strictObject({
      textfile: z
        .string()
        .min(1)
        .optional()
        .describe(
          "File that receives this desk's metrics every 15 s in OpenMetrics format, for a collector on this PC. Without it, none are written.",
        ),
    })
    .prefault({}),
  users: z
    .strictObject({
      updateMethod: z
        .enum(updateMethods)
        .default('POST')
        .describe('HTTP method for updating users in the service.'),
    })
    .prefault({}),
});

/** Settings after defaults were filled in; paths are absolute once they were loaded. */
export type Settings = z.infer<typeof settingsSchema>;
/** One watched folder of the settings. */
export type WatchSettings = Settings['watch'][number];
/** Through which proxy the agent reaches service and storage. */
export type ProxySettings = Settings['proxy'];
/** A folder that is about to be watched: its path is still to be given. */
export const newWatchedFolder: WatchSettings = { ...watchSchema.parse({ path: '.' }), path: '' };
/** How the API key is presented (service.md gap 1). */
export type AuthSettings = Settings['auth'];
