import { z } from 'zod';

const MIB = 1024 * 1024;
/** Largest part that object storage takes, bytes (5 GiB). */
export const MAX_PART_BYTES = 5 * 1024 * MIB;
/** Smallest part that object storage takes, except for the last one, bytes (5 MiB). */
export const MIN_PART_BYTES = 5 * MIB;
/** Most parts in one multipart upload. */
export const MAX_PART_COUNT = 10_000;
/** Size from which a clip is sent in parts, bytes (interface.md "Limits": about 100 MB; decisions row 4). */
export const DEFAULT_MULTIPART_THRESHOLD_BYTES = 100_000_000;

/** Limits of the settings: the schema refuses what is outside of them, and the pages offer nothing else. */
export const settingLimits = {
  watch: {
    /** Folders. */
    most: 64,
    settleSeconds: { least: 0.1, most: 3600 },
    /** A day either way. */
    clockOffsetSeconds: { least: -86_400, most: 86_400 },
  },
  upload: {
    multipartThresholdBytes: { least: MIN_PART_BYTES, most: DEFAULT_MULTIPART_THRESHOLD_BYTES },
    concurrentFiles: { least: 1, most: 16 },
    concurrentParts: { least: 1, most: 32 },
    maxBytesPerSecond: { least: 1024 },
  },
} as const;

/** When an incident is published: as its clips arrive, or once with all of them. */
export const publishTimes = ['progressive', 'whenComplete'] as const;
/** The method by which the service takes changes of users. */
export const updateMethods = ['POST', 'PUT'] as const;

const authSchema = z
  .discriminatedUnion('scheme', [
    z.strictObject({ scheme: z.literal('bearer') }),
    z.strictObject({
      scheme: z.literal('header'),
      name: z
        .string()
        .regex(/^[A-Za-z0-9-]{1,64}$/, 'must be a header name: letters, digits and hyphens, at most 64'),
      prefix: z.string().max(64).optional(),
    }),
    z.strictObject({
      scheme: z.literal('query'),
      name: z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/, 'must be a parameter name, at most 64 characters'),
    }),
  ])
  .default({ scheme: 'bearer' });

function numberWithin({ least, most }: { readonly least: number; readonly most: number }) {
  return z.number().min(least).max(most);
}

const watchSchema = z.strictObject({
  /** Folder that is watched; each child folder is one incident. */
  path: z.string().min(1),
  unit: z.enum(['folder']).default('folder'),
  /** IANA zone of the times in file names; default: the system's (decisions row 28). */
  timeZone: z.string().min(1).optional(),
  /** File-name profile, or `auto` to try all. */
  profile: z.string().min(1).default('auto'),
  /** How long a file must stay unchanged before it is taken, seconds. */
  settleSeconds: numberWithin(settingLimits.watch.settleSeconds).default(30),
  /** True recorder time = time in the name + this many seconds. */
  clockOffsetSeconds: numberWithin(settingLimits.watch.clockOffsetSeconds).default(0),
});

const uploadSchema = z
  .strictObject({
    multipartThresholdBytes: numberWithin(settingLimits.upload.multipartThresholdBytes)
      .int()
      .default(DEFAULT_MULTIPART_THRESHOLD_BYTES),
    /** Fixed part size, bytes; default: the smallest of 16, 32, 64 ... MiB that fits (decisions row 5). */
    partSizeBytes: z.number().int().min(MIN_PART_BYTES).max(MAX_PART_BYTES).optional(),
    concurrentFiles: numberWithin(settingLimits.upload.concurrentFiles).int().default(2),
    concurrentParts: numberWithin(settingLimits.upload.concurrentParts).int().default(4),
    /** Limit for all uploads together, bytes per second; null: none. */
    maxBytesPerSecond: z
      .number()
      .int()
      .min(settingLimits.upload.maxBytesPerSecond.least)
      .nullable()
      .default(null),
    /** Hosts that signed URLs may name, exact or `*.suffix`; empty: any public one (reference rule for signed URLs). */
    hosts: z.array(z.string().min(1).max(255)).max(32).default([]),
  })
  .prefault({});

/** A host, `.name` and `*.name` with all below a name, an address, a range of addresses, or `*`; with a port if need be. */
const BYPASS_ENTRY =
  /^(?:\*|(?:\*?\.)?[\w-]+(?:\.[\w-]+)*(?::\d{1,5}|\/\d{1,2})?|[0-9a-f:.]+(?:\/\d{1,3})?|\[[0-9a-f:.]+\](?::\d{1,5})?)$/i;
const proxySchema = z
  .strictObject({
    /** Address of the forward proxy, or `none`; default: what the environment says (see `chooseProxy`). */
    url: z.string().min(1).max(2048).optional(),
    /** Hosts that are reached without the proxy. */
    bypass: z
      .array(
        z
          .string()
          .max(255)
          .regex(BYPASS_ENTRY, 'must be a host name, *.name, an address or a range such as 10.0.0.0/8'),
      )
      .max(64)
      .default([]),
  })
  .prefault({});

/** The configuration file of the agent. Limits are part of the schema, so that an error can name them. */
export const settingsSchema = z.strictObject({
  /** Address of the service; missing until someone set the desk up. */
  baseUrl: z.string().min(1).optional(),
  apiKeyFile: z.string().min(1).optional(),
  auth: authSchema,
  proxy: proxySchema,
  /** File with `name:password` for the proxy. Not in `proxy`, whose fields pages may change: a page names no files. */
  proxyCredentialsFile: z.string().min(1).optional(),
  watch: z.array(watchSchema).max(settingLimits.watch.most).default([]),
  upload: uploadSchema,
  incident: z.strictObject({ publish: z.enum(publishTimes).default('progressive') }).prefault({}),
  users: z.strictObject({ updateMethod: z.enum(updateMethods).default('POST') }).prefault({}),
});

/** Settings after defaults were filled in; paths are absolute once they were loaded. */
export type Settings = z.infer<typeof settingsSchema>;
/** One watched folder of the settings. */
export type WatchSettings = Settings['watch'][number];
/** Through which proxy the agent reaches service and storage. */
export type ProxySettings = Settings['proxy'];
/** A folder that is about to be watched: its path is still to be given. */
export const newWatchedFolder: WatchSettings = { ...watchSchema.parse({ path: '.' }), path: '' };
/** How the API key is presented (decisions row 1). */
export type AuthSettings = Settings['auth'];
