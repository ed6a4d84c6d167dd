import { z } from 'zod';

/**
 * Wire format of service.md "Incident" and "Video". Only what is needed is read: any other field may be missing, null or
 * of another type without making the answer invalid.
 */
const key = z.string().nullish();
/** A number beyond 2^53 comes as its digits, and goes back as them (service.md gap 34). */
const digits = z.custom<object>((value) => JSON.isRawJSON(value));
/** Ours are strings; another client may count its own (service.md gap 25). */
const videoId = z.union([z.string(), z.int(), digits]);

/** All other fields are kept as they are: another client's video goes back exactly as it came (service.md gap 13). */
const videoSchema = z.looseObject({ id: videoId, storage_key: key, storage_thumbnail_key: key });

const text = z.string().nullish().catch(undefined);
const number = z.number().nullish().catch(undefined);

const incidentSchema = z.object({
  id: text,
  title: text,
  description: text,
  incident_at: text,
  created_at: text,
  updated_at: text,
  longitude: number,
  latitude: number,
  uploaded_videos: z.array(videoSchema).nullish(),
  failed_videos: z.array(videoSchema).nullish(),
});

/** Answer of endpoints 5 and 6: the incident under `vms_incident`. */
export const incidentAnswerSchema = z.object({ vms_incident: incidentSchema });

/** A video object as the service returns it. */
export type WireVideo = z.infer<typeof videoSchema>;
/** An incident as the service returns it. */
export type WireIncident = z.infer<typeof incidentSchema>;

/** A video object as it is sent: fields without a known value are left out (service.md gap 32). */
export interface WireVideoWrite {
  readonly id: string;
  readonly started_at?: string;
  readonly ended_at?: string;
  readonly camera_id?: string;
  readonly camera_name?: string;
  readonly camera_description?: string;
  readonly camera_longitude?: number;
  readonly camera_latitude?: number;
  readonly storage_key?: string;
  readonly storage_thumbnail_key?: string;
  readonly upload_errors?: readonly string[];
}

/** Body of endpoint 6 under `vms_incident`; both arrays are always sent in full (service.md gap 13). */
export interface WireIncidentWrite {
  readonly title?: string;
  readonly description?: string;
  readonly incident_at?: string;
  readonly created_at?: string;
  readonly updated_at?: string;
  readonly longitude?: number;
  readonly latitude?: number;
  readonly uploaded_videos: readonly (WireVideo | WireVideoWrite)[];
  readonly failed_videos: readonly (WireVideo | WireVideoWrite)[];
}

/** Videos that the service listed, as they are kept in the queue database. */
export const videoListsSchema = z.object({ uploaded: z.array(videoSchema), failed: z.array(videoSchema) });

/** Details of an incident that were sent to the service, as they are kept in the queue database. */
export const sentDetailsSchema = z.object({
  title: z.string().exactOptional(),
  description: z.string().exactOptional(),
  incident_at: z.string().exactOptional(),
  created_at: z.string().exactOptional(),
  longitude: z.number().exactOptional(),
  latitude: z.number().exactOptional(),
});

const storageKey = z.string().min(1).max(1024);
const uploadId = z.string().min(1).max(2048);

/** Answer of endpoints 1, 3 and 4: service.md "Multipart handle". */
export const multipartHandleSchema = z.object({ storage_key: storageKey, upload_id: uploadId });
/** The handle of a multipart upload. */
export type WireMultipartHandle = z.infer<typeof multipartHandleSchema>;

/**
 * What endpoint 2 returns for one file: one URL for a single-piece file, one per part for a multipart one. The URLs are
 * checked by the rule for signed URLs, which gives its reasons.
 */
export const uploadGrantSchema = z.object({ storage_key: storageKey, signed_urls: z.unknown() });

/** A number beyond 2^53 comes as its digits (service.md gap 34). As a limit it may be rounded: no file is that large. */
const longNumberSchema = z
  .object({ rawJSON: z.string().transform(Number).pipe(z.number()) })
  .transform(({ rawJSON }) => rawJSON);

/** Answer of endpoint 2, Get Upload Urls. Each file is read separately: a malformed one does not affect the others. */
export const uploadUrlsAnswerSchema = z.object({
  incident_id: z.union([z.string(), z.number()]).nullish().catch(undefined),
  max_upload_size_mb: z.union([z.number(), longNumberSchema]).nullish(),
  uploads: z.record(z.string(), z.unknown()),
});
/** The answer of endpoint 2. */
export type WireUploadUrls = z.infer<typeof uploadUrlsAnswerSchema>;

/** One file in the body of endpoint 2. */
export type WireUploadRequest =
  | { readonly filename: string }
  | { readonly part_count: number; readonly storage_key: string; readonly upload_id: string };
