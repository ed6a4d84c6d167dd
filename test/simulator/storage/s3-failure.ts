import { S3ServiceException } from '@aws-sdk/client-s3';
import type { StorageFailure } from './storage-failure.ts';

/** The server's refusal as a value. An error that is not an answer of the server is rethrown. */
export function readS3Failure(error: unknown): StorageFailure {
  if (!(error instanceof S3ServiceException)) throw error;
  return { code: error.name, status: error.$metadata.httpStatusCode ?? 500, message: error.message };
}
