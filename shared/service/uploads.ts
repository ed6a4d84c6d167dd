import { z } from 'zod';

/** Longest signed URL that is accepted, characters (8 KiB). */
const MAX_URL_LENGTH = 8192;
const storageKey = z.string().min(1).max(1024);
const uploadId = z.string().min(1).max(2048);
const signedUrl = z.string().min(1).max(MAX_URL_LENGTH);

/** Answer of endpoints 1, 3 and 4: interface.md "Multipart upload handle". */
export const multipartHandleSchema = z.object({ storage_key: storageKey, upload_id: uploadId });
/** The handle of a multipart upload. */
export type WireMultipartHandle = z.infer<typeof multipartHandleSchema>;

/** Answer of endpoint 2, Get Upload Urls: one string for a single-piece file, one per part for a multipart one. */
export const uploadUrlsAnswerSchema = z.object({
  incident_id: z.union([z.string(), z.number()]).nullish(),
  max_upload_size_mb: z.number().nullish(),
  uploads: z.record(
    z.string(),
    z.object({
      storage_key: storageKey,
      signed_urls: z.union([signedUrl, z.array(signedUrl).max(10_000)]),
    }),
  ),
});
/** The answer of endpoint 2. */
export type WireUploadUrls = z.infer<typeof uploadUrlsAnswerSchema>;

/** One file in the body of endpoint 2. */
export type WireUploadRequest =
  | { readonly filename: string }
  | { readonly part_count: number; readonly storage_key: string; readonly upload_id: string };
