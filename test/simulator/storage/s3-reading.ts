import {
  GetObjectCommand,
  ListMultipartUploadsCommand,
  paginateListObjectsV2,
  ListPartsCommand,
  type ListPartsCommandOutput,
  type S3Client,
} from '@aws-sdk/client-s3';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { OpenUpload, StoredObject, StoredPart } from './backend.ts';
import { unquote } from './check-part-list.ts';

export async function listS3Objects(client: S3Client, bucket: string): Promise<readonly StoredObject[]> {
  const objects: StoredObject[] = [];
  for await (const page of paginateListObjectsV2({ client }, { Bucket: bucket })) {
    for (const { Key: key, Size: sizeBytes = 0, ETag: etag = '' } of page.Contents ?? []) {
      if (key !== undefined) objects.push({ key, sizeBytes, etag: unquote(etag) });
    }
  }
  return objects;
}

/**
 * Pages by `IsTruncated`: the SDK's paginator follows the marker, which Swift sends on the last page too, and never
 * ends.
 */
export async function listS3Parts(
  client: S3Client,
  bucket: string,
  { key, uploadId }: { readonly key: string; readonly uploadId: string },
): Promise<readonly StoredPart[]> {
  const parts: StoredPart[] = [];
  let marker: string | undefined = '0';
  while (marker !== undefined) {
    const input = { Bucket: bucket, Key: key, UploadId: uploadId, PartNumberMarker: marker };
    const page: ListPartsCommandOutput = await client.send(new ListPartsCommand(input));
    for (const { PartNumber: partNumber = 0, Size: sizeBytes = 0, ETag: etag = '' } of page.Parts ?? []) {
      parts.push({ partNumber, sizeBytes, etag: unquote(etag) });
    }
    marker = page.IsTruncated ? page.NextPartNumberMarker : undefined;
  }
  return parts;
}

/** Open uploads with their parts. */
export async function listS3Uploads(client: S3Client, bucket: string): Promise<readonly OpenUpload[]> {
  const uploads: OpenUpload[] = [];
  for (const upload of await findS3Uploads(client, bucket)) {
    uploads.push({ ...upload, parts: await listS3Parts(client, bucket, upload) });
  }
  return uploads;
}

/** Whether an upload still waits for parts. Swift lists the parts of a completed upload too, so parts prove nothing. */
export async function isS3UploadOpen(
  client: S3Client,
  bucket: string,
  upload: { readonly key: string; readonly uploadId: string },
): Promise<boolean> {
  const open = await findS3Uploads(client, bucket, upload.key);
  return open.some(({ key, uploadId }) => key === upload.key && uploadId === upload.uploadId);
}

async function findS3Uploads(client: S3Client, bucket: string, prefix?: string) {
  const uploads: { readonly key: string; readonly uploadId: string }[] = [];
  let marker: { KeyMarker?: string; UploadIdMarker?: string } | undefined = {};
  while (marker) {
    const page: Awaited<ReturnType<typeof readPage>> = await readPage(client, bucket, {
      ...marker,
      ...(prefix !== undefined && { Prefix: prefix }),
    });
    for (const { Key: key, UploadId: uploadId } of page.Uploads ?? []) {
      if (key === undefined || uploadId === undefined) continue;
      uploads.push({ key, uploadId });
    }
    marker = page.IsTruncated
      ? {
          ...(page.NextKeyMarker !== undefined && { KeyMarker: page.NextKeyMarker }),
          ...(page.NextUploadIdMarker !== undefined && { UploadIdMarker: page.NextUploadIdMarker }),
        }
      : undefined;
  }
  return uploads;
}

function readPage(
  client: S3Client,
  bucket: string,
  page: { Prefix?: string; KeyMarker?: string; UploadIdMarker?: string },
) {
  return client.send(new ListMultipartUploadsCommand({ Bucket: bucket, ...page }));
}

export async function* readS3Object(
  client: S3Client,
  bucket: string,
  key: string,
): AsyncGenerator<Uint8Array> {
  const { Body: body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
  if (!(body instanceof Readable)) throw new Error(`The server answered object ${key} without a body.`);
  yield* body;
}

export async function sha256OfS3Object(client: S3Client, bucket: string, key: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of readS3Object(client, bucket, key)) hash.update(chunk);
  return hash.digest('hex');
}
