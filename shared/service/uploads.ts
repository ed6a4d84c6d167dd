import { z } from 'zod';

const storageKey = z.string().min(1).max(1024);
const uploadId = z.string().min(1).max(2048);

/** Answer of endpoints 1, 3 and 4: service.md "Multipart handle". */
export const multipartHandleSchema = z.object({ storage_key: storageKey, upload_id: uploadId });
/** The handle of a multipart upload. */
export type WireMultipartHandle = z.infer<typeof multipartHandleSchema>;

/**
 * What endpoint 2 tells of one file: one URL for a single-piece file, one per part for a multipart one. The URLs
 * are checked by the rule for signed URLs, which gives its reasons.
 */
export const uploadGrantSchema = z.object({ storage_key: storageKey, signed_urls: z.unknown() });

/** Answer of endpoint 2, Get Upload Urls. Each file is read by itself: an odd one concerns no other. */
export const uploadUrlsAnswerSchema = z.object({
  incident_id: z.union([z.string(), z.number()]).nullish(),
  max_upload_size_mb: z.number().nullish(),
  uploads: z.record(z.string(), z.unknown()),
});
/** The answer of endpoint 2. */
export type WireUploadUrls = z.infer<typeof uploadUrlsAnswerSchema>;

/** One file in the body of endpoint 2. */
export type WireUploadRequest =
  | { readonly filename: string }
  | { readonly part_count: number; readonly storage_key: string; readonly upload_id: string };
