import { z } from 'zod';

/** Orders of the parts of a date without a format. */
export const dateOrders = ['YMD', 'DMY', 'MDY'] as const;
/** Units of a time that is counted from 1970. */
export const epochUnits = ['s', 'ms', 'us', 'ns'] as const;

/** What a folder may send besides clips: classes of files that are not known to be recordings. */
export const alsoSent = ['unknown', 'projects', 'companions', 'reports', 'selfPlaying'] as const;
/** One of `alsoSent`. */
export type AlsoSent = (typeof alsoSent)[number];

/** Orders of day and month in a date that ends with its year. */
export const dayOrders = ['DMY', 'MDY'] as const;
/** One of `dayOrders`. */
export type DayOrder = (typeof dayOrders)[number];

/** What a watched folder states about its files where nothing else does. */
export const folderFields = {
  dateOrder: z
    .enum(dayOrders)
    .optional()
    .describe(
      'Whether `03-04-2026` in a file name is 3 April (`DMY`) or 4 March (`MDY`). Without it, dates like this are not read.',
    ),
  latitude: z
    .number()
    .min(-90)
    .max(90)
    .optional()
    .describe('Latitude in degrees, for incidents in this folder with no other position.'),
  longitude: z.number().min(-180).max(180).optional().describe('Longitude in degrees; set both or neither.'),
  alsoSend: z
    .array(z.enum(alsoSent))
    .max(alsoSent.length)
    .default([])
    .describe(
      'Files to send besides clips. `unknown`: files of unknown types, except archives. `projects`: all parts of exports that play only as a whole, except their programs. `companions`: indexes, playlists and signatures. `reports`: texts, tables and documents. `selfPlaying`: programs that contain a video, each only after someone confirms it.',
    ),
};

/** Most patterns of a desk. */
export const MOST_PATTERNS = 50;
/** Longest sample of a pattern, characters. */
export const LONGEST_SAMPLE = 500;

/** A pattern for file names, written at this desk. */
const patternSchema = z.strictObject({
  name: z
    .string()
    .regex(
      /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,39}$/u,
      'must be up to 40 letters, digits, spaces, dots, hyphens and underscores, starting with a letter or digit',
    )
    .describe('Name of the pattern; a watched folder can use it as its `profile`.'),
  template: z
    .string()
    .min(1)
    .max(300)
    .optional()
    .describe('Template for the end of a path, such as `{camera}_{date:YYYYMMDD}_{time:HHmmss}`.'),
  expression: z
    .string()
    .min(1)
    .max(300)
    .optional()
    .describe('Instead of a template: an RE2 expression with named groups.'),
  dateOrder: z.enum(dateOrders).default('YMD').describe('Date order if no format is given.'),
  clock: z
    .string()
    .min(1)
    .max(64)
    .default('local')
    .describe("Time zone of the times: `local` (the watched folder's), `utc` or an IANA name."),
  epoch: z.enum(epochUnits).default('s').describe('Unit of `{epoch}` and `{endEpoch}`, counted from 1970.'),
  folder: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Path of the watched folder that the pattern applies to. Without it, the pattern applies to all.',
    ),
  samples: z
    .array(z.string().min(1).max(LONGEST_SAMPLE))
    .min(1)
    .max(20)
    .describe('Real file names that the pattern must match; otherwise, the settings are refused.'),
});
/** See `patternSchema`. */
export type PatternSettings = z.infer<typeof patternSchema>;

/** Most cameras of a registry. */
export const MOST_CAMERAS = 2_000;
/** How a camera of the registry is identified; `any` tries all. */
export const cameraKeys = ['any', 'name', 'channel', 'ip', 'mac', 'serial', 'url'] as const;

const day = z.iso.datetime({ offset: true });

/** A camera as the desk knows it. */
const cameraSchema = z.strictObject({
  match: z
    .string()
    .min(1)
    .max(200)
    .describe('How the camera is identified in names and files; `*` and `?` are wildcards.'),
  by: z
    .enum(cameraKeys)
    .default('any')
    .describe(
      'Property that `match` is compared with: name, channel, address, MAC, serial number or URL of the camera; `any` compares all.',
    ),
  folder: z
    .string()
    .min(1)
    .optional()
    .describe('Path of the watched folder that the entry applies to. Without it, the entry applies to all.'),
  cameraId: z.string().min(1).max(200).optional().describe('ID of the camera in the incident.'),
  cameraName: z.string().min(1).max(200).optional().describe('Name of the camera in the incident.'),
  description: z.string().min(1).max(1000).optional().describe('What the camera shows.'),
  latitude: z.number().min(-90).max(90).optional().describe('Latitude of the camera, in degrees.'),
  longitude: z.number().min(-180).max(180).optional().describe('Longitude of the camera, in degrees.'),
  clockOffsetSeconds: z
    .number()
    .min(-86_400)
    .max(86_400)
    .optional()
    .describe("Clock correction for this camera, used instead of the folder's."),
  measuredBy: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Who measured the clock, when and how; shown next to each corrected time.'),
  validFrom: day
    .optional()
    .describe('Applies to clips that start at or after this time, such as `2026-05-01T00:00:00Z`.'),
  validTo: day.optional().describe('Applies to clips that start before this time.'),
});
/** See `cameraSchema`. */
export type CameraSettings = z.infer<typeof cameraSchema>;

/** What only the desk knows about its names. */
export const namingFields = {
  patterns: z
    .array(patternSchema)
    .max(MOST_PATTERNS)
    .default([])
    .describe('Patterns for file names that no known system writes; they are tried first, in order.'),
  cameras: z
    .array(cameraSchema)
    .max(MOST_CAMERAS)
    .default([])
    .describe(
      'Details of cameras that are identified in names and files; each field comes from the first match that has it. A change applies immediately to clips that have not been sent, and to sent incidents only on request.',
    ),
};
