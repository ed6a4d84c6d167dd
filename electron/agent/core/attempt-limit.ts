import type { FailureCode } from '../../../shared/domain/failure.ts';

/**
 * How often a job is tried before it is given up, by the reason of its last failure. Trouble that passes by
 * itself (network, service, storage) is retried without end while the source exists. These are not:
 * a file without access or locked may be freed by the operator within minutes; damaged bytes, odd
 * signatures and unexpected answers do not mend themselves, and a person should see them.
 */
const limits: Partial<Record<FailureCode, number>> = {
  FILE_NO_ACCESS: 6,
  FILE_LOCKED: 20,
  FILE_READ: 6,
  FILE_CHANGED: 20,
  BYTES_DAMAGED: 3,
  STORAGE_SIGNATURE: 3,
  STORAGE_DENIED: 4,
  URL_EXPIRED: 6,
  URL_REFUSED: 2,
  API_SHAPE: 4,
  API_PARTS: 3,
  API_ETAG: 3,
  API_NUMBER: 3,
  STORAGE_NO_UPLOAD: 6,
  STORAGE_REJECTED: 3,
  NOT_FOUND: 5,
};

/** The most attempts for a job that failed with this code; undefined: no limit. */
export function attemptLimit(code: FailureCode): number | undefined {
  return limits[code];
}
