import { z } from 'zod';
import { failureSchema } from './failure.ts';
import { fileAccountSchema } from './file-account.ts';
import { madeFactsSchema } from './thumbnail-answer.ts';

/** What a person should know about a clip at a glance; stored with it. */
export const clipFlags = [
  'needs-vendor-player',
  'hard-link',
  'hidden-characters',
  'time-doubled-hour',
  'time-nonexistent',
  'time-order',
  'time-unlikely',
  'clocks-differ',
  'zone-unlikely',
  'duration-differs',
  'not-listed',
  'clock-reset',
  'clock-half-day',
  'clock-out-of-step',
  'gap-before',
] as const;
/** One of `clipFlags`. */
export type ClipFlag = (typeof clipFlags)[number];

const text = z.string().exactOptional();
const count = z.int().min(0);

/**
 * The states of a clip. `paused`: by a person; `waiting`: also before a retry; `leftOut`: failed, and left out by a
 * person.
 */
export const clipStates = ['waiting', 'uploading', 'paused', 'uploaded', 'failed', 'leftOut'] as const;
/** One of `clipStates`. */
export type ClipState = (typeof clipStates)[number];

/** The state of an incident: `attention` when part of it needs a person, `sent` when the service has all of it. */
export const incidentStates = ['waiting', 'uploading', 'paused', 'sent', 'attention'] as const;
/** One of `incidentStates`. */
export type IncidentState = (typeof incidentStates)[number];

/** Where a value came from, and how reliable it is; for people. */
export const originSchema = z
  .object({
    field: z.string(),
    source: z.string(),
    confidence: z.string(),
    note: text,
    /** IANA zone in which a time would agree with another clock, where that of its folder does not. */
    zone: text,
  })
  .readonly();

/** An incident in a list. Times are ISO 8601 UTC. */
export const incidentRowSchema = z
  .object({
    id: z.string(),
    title: z.string(),
    /** Path of the export folder. */
    folder: z.string(),
    state: z.enum(incidentStates),
    createdAt: z.string(),
    incidentAt: text,
    uploaded: count,
    failed: count,
    /** How many of `failed` a retry of the incident includes; missing: too many to check. */
    retryable: count.exactOptional(),
    /** Failed clips that a person left out; they are not counted in `failed`. */
    leftOut: count,
    /** Clips neither uploaded nor failed. */
    pending: count,
    sizeBytes: count,
    /** Why the record itself could not be written to the service. */
    failure: failureSchema.exactOptional(),
  })
  .readonly();
/** See `incidentRowSchema`. */
export type IncidentRowView = z.infer<typeof incidentRowSchema>;

/** A clip in a list. */
export const clipRowSchema = z
  .object({
    id: z.string(),
    incidentId: z.string(),
    /** Path inside the export folder. */
    file: z.string(),
    state: z.enum(clipStates),
    sizeBytes: count,
    /** Bytes that storage has acknowledged, including parts of an upload in progress. */
    bytesSent: count,
    camera: text,
    startedAt: text,
    endedAt: text,
    attempts: count,
    /** When a waiting clip is retried. */
    nextTryAt: text,
    uploadedAt: text,
    /** When a person left it out. */
    leftOutAt: text,
    failure: failureSchema.exactOptional(),
  })
  .readonly();
/** See `clipRowSchema`. */
export type ClipRowView = z.infer<typeof clipRowSchema>;

/** One incident with everything that is known about it here. */
export const incidentDetailSchema = z
  .object({
    row: incidentRowSchema,
    description: text,
    latitude: z.number().exactOptional(),
    longitude: z.number().exactOptional(),
    updatedAt: z.string(),
    /** True when the service has everything that it should have of the incident now. */
    isSynced: z.boolean(),
    lastSyncedAt: text,
    /** Why the first of its failed clips failed, and whether all did for that reason, as far as it is known. */
    reason: failureSchema.exactOptional(),
    isOneReason: z.boolean().exactOptional(),
    folderGone: z.boolean(),
    /** What became of every file of its folder; missing for an incident that an earlier version stored. */
    files: fileAccountSchema.exactOptional(),
    /** When its files were written, if nothing says when it happened: a guess that was not sent (service.md gap 31). */
    guessedAt: z.object({ at: z.string(), note: z.string() }).readonly().exactOptional(),
    origins: z.array(originSchema).readonly(),
  })
  .readonly();
/** See `incidentDetailSchema`. */
export type IncidentDetail = z.infer<typeof incidentDetailSchema>;

/** The bytes that were sent differ from those that were found. */
export const alterationSchema = z
  .object({
    /** Missing: it was not hashed when it was found, and only its change time differs. */
    foundSha256: text,
    sentSha256: z.string(),
  })
  .readonly();
/** See `alterationSchema`. */
export type Alteration = z.infer<typeof alterationSchema>;

/** One clip with everything that is known about it here. */
export const clipDetailSchema = z
  .object({
    row: clipRowSchema,
    generation: z.int().min(1),
    createdAt: z.string(),
    cameraId: text,
    cameraDescription: text,
    latitude: z.number().exactOptional(),
    longitude: z.number().exactOptional(),
    durationMs: z.number().exactOptional(),
    format: text,
    videoCodec: text,
    /** Frames per second, on average where they vary. */
    frameRate: z.number().exactOptional(),
    width: z.number().exactOptional(),
    height: z.number().exactOptional(),
    /** SHA-256 of the bytes that were sent, lower-case hexadecimal. */
    sha256: text,
    expectedSha256: text,
    flags: z.array(z.enum(clipFlags)).readonly(),
    /** SHA-256 of the file when it was found, where it was hashed then. */
    foundSha256: text,
    altered: alterationSchema.exactOptional(),
    storageKey: text,
    /** Parts of a multipart upload in progress. */
    parts: z.object({ done: count, total: count, partSizeBytes: count }).readonly().exactOptional(),
    thumbnail: z
      .object({
        state: z.enum(['queued', 'uploaded', 'failed']),
        /** Path inside the export folder; missing for an image that did not come from there. */
        file: text,
        storageKey: text,
        /** `made`: this program made it from the clip, so that it is not evidence. */
        origin: z.enum(['export', 'made']),
        made: madeFactsSchema.exactOptional(),
      })
      .readonly()
      .exactOptional(),
    /** Why no thumbnail could be made of a clip whose export has none. */
    noPicture: failureSchema.exactOptional(),
    origins: z.array(originSchema).readonly(),
  })
  .readonly();
/** See `clipDetailSchema`. */
export type ClipDetail = z.infer<typeof clipDetailSchema>;

/** Most rows in a window: a screenful with room to scroll. */
export const MAX_PAGE_ROWS = 200;
const MAX_SEARCH_LENGTH = 200;
/** Most ids that one request names. */
const MAX_IDS = 1000;

const page = {
  /** Text that name, file, camera or id must contain, in any case. */
  search: z.string().max(MAX_SEARCH_LENGTH).exactOptional(),
  order: z.enum(['ascending', 'descending']).default('descending'),
  offset: count.default(0),
  limit: z.int().min(1).max(MAX_PAGE_ROWS).default(100),
};

/** Which incidents to list. */
export const incidentQuerySchema = z
  .strictObject({
    state: z.enum(incidentStates).exactOptional(),
    sort: z.enum(['createdAt', 'incidentAt', 'title']).default('createdAt'),
    ...page,
  })
  .readonly();
/** See `incidentQuerySchema`. */
export type IncidentQuery = z.infer<typeof incidentQuerySchema>;

/** Which clips to list, of one incident or of all. */
export const clipQuerySchema = z
  .strictObject({
    incidentId: z.string().exactOptional(),
    state: z.enum(clipStates).exactOptional(),
    sort: z.enum(['createdAt', 'startedAt', 'file', 'sizeBytes']).default('createdAt'),
    ...page,
  })
  .readonly();
/** See `clipQuerySchema`. */
export type ClipQuery = z.infer<typeof clipQuerySchema>;

/** Rows by state, for the filters, whichever filter is set. */
const countsOf = <State extends string>(states: readonly State[]) =>
  z.record(z.enum(states), count).readonly();

/** A window of incidents. `total` counts the rows of the query, `counts` all incidents by state. */
export const incidentPageSchema = z
  .object({ total: count, counts: countsOf(incidentStates), rows: z.array(incidentRowSchema).readonly() })
  .readonly();
/** See `incidentPageSchema`. */
export type IncidentPage = z.infer<typeof incidentPageSchema>;

/** A window of clips. */
export const clipPageSchema = z
  .object({ total: count, counts: countsOf(clipStates), rows: z.array(clipRowSchema).readonly() })
  .readonly();
/** See `clipPageSchema`. */
export type ClipPage = z.infer<typeof clipPageSchema>;

const ofIncident = z.strictObject({ kind: z.literal('incident'), incidentId: z.string() });
/** Clips that one request names. */
export const clipIdsSchema = z.array(z.string()).min(1).max(MAX_IDS).readonly();
const ofClips = z.strictObject({ kind: z.literal('clips'), clipIds: clipIdsSchema });

/** Clips that a command applies to. */
export const uploadTargetSchema = z.discriminatedUnion('kind', [ofIncident, ofClips]);
/** See `uploadTargetSchema`. */
export type UploadTarget = z.infer<typeof uploadTargetSchema>;

/** Clips that a command applies to, or everything. */
export const wideTargetSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('all') }),
  ofIncident,
  ofClips,
]);
/** See `wideTargetSchema`. */
export type WideTarget = z.infer<typeof wideTargetSchema>;
