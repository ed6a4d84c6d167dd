import { z } from 'zod';
import { clipFlags, originSchema } from './upload-view.ts';
import { fileClasses } from './file-account.ts';

const text = z.string().exactOptional();
const count = z.int().min(0);

/** Fields whose origin is explained; those of an incident first. */
export const explainedFields = [
  'title',
  'description',
  'incidentAt',
  'position',
  'cameraName',
  'cameraId',
  'cameraDescription',
  'cameraPosition',
  'startedAt',
  'endedAt',
] as const;
/** One of `explainedFields`. */
export type ExplainedField = (typeof explainedFields)[number];

const readingSchema = z
  .object({
    /** As text; times are ISO 8601 UTC. */
    value: z.string(),
    /** The time in the zone of the watched folder. */
    local: text,
    source: z.string(),
    confidence: z.string(),
    note: text,
  })
  .readonly();
/** A value and where it comes from. */
export type ExplainedReading = z.infer<typeof readingSchema>;

const valueSchema = z
  .object({
    field: z.enum(explainedFields),
    /** Missing: nothing states it, and it is not sent. */
    winner: readingSchema.exactOptional(),
    /** The other candidates, and why each is not the value. */
    others: z.array(readingSchema.unwrap().extend({ why: z.string() }).readonly()).readonly(),
    /** The queue's value where it differs: what was sent, or what a person wrote. */
    stored: readingSchema.exactOptional(),
    /** How a person changes it. */
    overrule: z.string(),
  })
  .readonly();
/** One value with every candidate for it. */
export type ExplainedValue = z.infer<typeof valueSchema>;

const recogniserSchema = z
  .object({ profile: z.string(), system: z.string(), label: z.string(), source: z.string() })
  .readonly();
/** One way of reading a path. */
export type ExplainedRecogniser = z.infer<typeof recogniserSchema>;

const namesSchema = z
  .object({
    /** Missing: nothing fits, or several fit equally. */
    winner: recogniserSchema.exactOptional(),
    others: z.array(recogniserSchema.unwrap().extend({ why: z.string() }).readonly()).readonly(),
    /** Which one won, and by how much. */
    verdict: z.string(),
  })
  .readonly();
/** Which recogniser read a path, and which others were considered. */
export type ExplainedNames = z.infer<typeof namesSchema>;

const clipSchema = z
  .object({
    file: z.string(),
    /** False: its content was not read, so that what it states is missing here. */
    isOpened: z.boolean(),
    names: namesSchema,
    values: z.array(valueSchema).readonly(),
    flags: z.array(z.enum(clipFlags)).readonly(),
  })
  .readonly();
/** One clip, explained. */
export type ExplainedClip = z.infer<typeof clipSchema>;

/** Why an export is read the way it is. Nothing is stored or written anywhere. */
export const explanationSchema = z
  .object({
    /** Its real path. */
    folder: z.string(),
    /** The incident of this folder in the queue. */
    knownAs: z.object({ incidentId: z.string(), title: z.string() }).readonly().exactOptional(),
    counts: z.record(z.enum(fileClasses), count).readonly(),
    /** Each file of the folder with its class and the rule that put it there. */
    files: z
      .array(z.object({ path: z.string(), class: z.enum(fileClasses), why: z.string() }).readonly())
      .readonly(),
    incident: z.array(valueSchema).readonly(),
    clips: z.array(clipSchema).readonly(),
    warnings: z.array(z.object({ code: z.string(), message: z.string(), file: text }).readonly()).readonly(),
    /** True when the folder holds more than was looked at. */
    isCut: z.boolean(),
  })
  .readonly();
/** See `explanationSchema`. */
export type Explanation = z.infer<typeof explanationSchema>;

const previewText = z.string().exactOptional();
const previewCount = z.int().min(0);
const origins = z.array(originSchema).readonly();

/** A clip that is already in the queue: `version` by name, size and time of the file, `sha256` by a stated checksum. */
const duplicateSchema = z
  .object({
    clipId: z.string(),
    incidentId: z.string(),
    incidentTitle: z.string(),
    file: z.string(),
    by: z.enum(['version', 'sha256']),
  })
  .readonly();
/** See `duplicateSchema`. */
export type Duplicate = z.infer<typeof duplicateSchema>;

/** A clip as names and sidecars describe it; its content was not read. Times are ISO 8601 UTC. */
const previewClipSchema = z
  .object({
    file: z.string(),
    sizeBytes: previewCount,
    cameraId: previewText,
    cameraName: previewText,
    startedAt: previewText,
    endedAt: previewText,
    thumbnail: previewText,
    duplicates: z.array(duplicateSchema).readonly(),
    origins,
  })
  .readonly();
/** See `previewClipSchema`. */
export type PreviewClip = z.infer<typeof previewClipSchema>;

const noteSchema = z.object({ code: z.string(), message: z.string(), file: previewText }).readonly();
/** Something about a file or the whole folder that a person should read. */
export type PreviewNote = z.infer<typeof noteSchema>;

/** What sending a folder now would result in. Nothing is stored or written anywhere. */
export const exportPreviewSchema = z
  .object({
    /** Its real path. */
    folder: z.string(),
    /** The incident of this same folder in the queue. */
    knownAs: z.object({ incidentId: z.string(), title: z.string() }).readonly().exactOptional(),
    title: z.string(),
    description: previewText,
    incidentAt: previewText,
    latitude: z.number().exactOptional(),
    longitude: z.number().exactOptional(),
    origins,
    clips: z.array(previewClipSchema).readonly(),
    /** Bytes of all clips. */
    totalBytes: previewCount,
    /** Files that would not be sent, and why. */
    skipped: z.array(noteSchema).readonly(),
    warnings: z.array(noteSchema).readonly(),
    /** True when the folder holds more than was looked at. */
    isCut: z.boolean(),
  })
  .readonly();
/** See `exportPreviewSchema`. */
export type ExportPreview = z.infer<typeof exportPreviewSchema>;
