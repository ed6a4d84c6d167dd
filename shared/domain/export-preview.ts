import { z } from 'zod';
import { originSchema } from './upload-view.ts';

const text = z.string().exactOptional();
const count = z.int().min(0);
const origins = z.array(originSchema).readonly();

/** A clip that the queue has already: `version` by name, size and time of the file, `sha256` by a stated sum. */
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

/** A clip as names and sidecars describe it; its bytes were not looked at. Times are ISO 8601 UTC. */
const previewClipSchema = z
  .object({
    file: z.string(),
    sizeBytes: count,
    cameraId: text,
    cameraName: text,
    startedAt: text,
    endedAt: text,
    thumbnail: text,
    duplicates: z.array(duplicateSchema).readonly(),
    origins,
  })
  .readonly();
/** See `previewClipSchema`. */
export type PreviewClip = z.infer<typeof previewClipSchema>;

const noteSchema = z.object({ code: z.string(), message: z.string(), file: text }).readonly();
/** Something about a file or the whole folder that a person should read. */
export type PreviewNote = z.infer<typeof noteSchema>;

/** What would become of a folder if it were sent now. Nothing is stored, and nothing is written anywhere. */
export const exportPreviewSchema = z
  .object({
    /** Its real path. */
    folder: z.string(),
    /** The incident that this very folder is in the queue. */
    knownAs: z.object({ incidentId: z.string(), title: z.string() }).readonly().exactOptional(),
    title: z.string(),
    description: text,
    incidentAt: text,
    latitude: z.number().exactOptional(),
    longitude: z.number().exactOptional(),
    origins,
    clips: z.array(previewClipSchema).readonly(),
    /** Bytes of all clips. */
    totalBytes: count,
    /** Files that would not be sent, and why. */
    skipped: z.array(noteSchema).readonly(),
    warnings: z.array(noteSchema).readonly(),
    /** True when the folder holds more than was looked at. */
    isCut: z.boolean(),
  })
  .readonly();
/** See `exportPreviewSchema`. */
export type ExportPreview = z.infer<typeof exportPreviewSchema>;
