import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import type { SimulatorSettings } from '../settings.ts';
import type { SimulatorClock } from '../simulator-clock.ts';
import type { ListedPart, StorageBackend } from './backend.ts';
import { unquote } from './check-part-list.ts';
import { readS3Failure } from './s3-failure.ts';
import {
  isS3UploadOpen,
  listS3Objects,
  listS3Uploads,
  readS3Object,
  sha256OfS3Object,
} from './s3-reading.ts';
import { storageFailure, type StorageFailure } from './storage-failure.ts';

/** An S3-compatible server and a bucket in it; the bucket is created if it is missing. */
export interface S3Options {
  readonly endpoint: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly bucket: string;
  readonly region?: string;
}

interface S3Context {
  readonly settings: SimulatorSettings;
  readonly clock: SimulatorClock;
}

const DEFAULT_REGION = 'us-east-1';

/** Storage on a real S3-compatible server: signed URLs point straight at it. */
export async function openS3Backend(options: S3Options, context: S3Context): Promise<StorageBackend> {
  const client = createClient(options);
  const { bucket } = options;
  await client.send(new CreateBucketCommand({ Bucket: bucket })).catch(ignoreExisting);
  return {
    kind: 's3',
    url: options.endpoint,
    ...signing(client, bucket, context),
    ...multipart(client, bucket),
    hasObject: (key) => hasObject(client, bucket, key),
    objects: () => listS3Objects(client, bucket),
    readObject: (key) => readS3Object(client, bucket, key),
    sha256OfObject: (key) => sha256OfS3Object(client, bucket, key),
    openUploads: () => listS3Uploads(client, bucket),
    // The server is not ours: it is neither stopped nor started from here.
    offline: async () => undefined,
    online: async () => undefined,
    stop: async () => client.destroy(),
  };
}

function createClient({ endpoint, accessKeyId, secretAccessKey, region }: S3Options): S3Client {
  return new S3Client({
    endpoint,
    region: region ?? DEFAULT_REGION,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: true,
    // Otherwise the signer puts the checksum of an empty body into the URL, which real bytes do not match.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
}

function signing(client: S3Client, bucket: string, { settings, clock }: S3Context) {
  const terms = () => ({ expiresIn: settings.urlLifetimeSeconds, signingDate: new Date(clock.now()) });
  return {
    signPut: (key: string) =>
      getSignedUrl(client, new PutObjectCommand({ Bucket: bucket, Key: key }), terms()),
    signPart: (key: string, uploadId: string, partNumber: number) => {
      const part = { Bucket: bucket, Key: key, UploadId: uploadId, PartNumber: partNumber };
      return getSignedUrl(client, new UploadPartCommand(part), terms());
    },
  };
}

function multipart(client: S3Client, bucket: string) {
  const upload = (key: string, uploadId: string) => ({ Bucket: bucket, Key: key, UploadId: uploadId });
  return {
    async createUpload(key: string): Promise<string> {
      const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket: bucket, Key: key }));
      if (UploadId === undefined) throw new Error('The server opened an upload without an id.');
      return UploadId;
    },
    isUploadOpen: (key: string, uploadId: string) => isS3UploadOpen(client, bucket, { key, uploadId }),
    async completeUpload(key: string, uploadId: string, parts: readonly ListedPart[]) {
      if (parts.length === 0) return err(storageFailure('MalformedXML'));
      const Parts = parts.map(({ partNumber, etag }) => ({ PartNumber: partNumber, ETag: `"${etag}"` }));
      const input = { ...upload(key, uploadId), MultipartUpload: { Parts } };
      const completed = await attempt(() => client.send(new CompleteMultipartUploadCommand(input)));
      return completed.ok ? ok({ etag: unquote(completed.value.ETag ?? '') }) : completed;
    },
    async abortUpload(key: string, uploadId: string): Promise<Result<undefined, StorageFailure>> {
      const aborted = await attempt(() =>
        client.send(new AbortMultipartUploadCommand(upload(key, uploadId))),
      );
      return aborted.ok ? ok(undefined) : aborted;
    },
  };
}

async function hasObject(client: S3Client, bucket: string, key: string): Promise<boolean> {
  const head = await attempt(() => client.send(new HeadObjectCommand({ Bucket: bucket, Key: key })));
  return head.ok;
}

/** Returns a refusal of the server as a value; a failure to reach the server throws. */
async function attempt<T>(call: () => Promise<T>): Promise<Result<T, StorageFailure>> {
  try {
    return ok(await call());
  } catch (error) {
    return err(readS3Failure(error));
  }
}

function ignoreExisting(error: unknown): void {
  const { code } = readS3Failure(error);
  if (code !== 'BucketAlreadyOwnedByYou' && code !== 'BucketAlreadyExists') throw error;
}
