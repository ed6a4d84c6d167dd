import type { Failure } from '../../../../shared/domain/failure.ts';
import { visibleName } from '../../../../shared/lib/visible-name.ts';

/** What was stored is not what was read, although the file did not change. */
export function bytesDamaged(name: string, detail: string): Failure {
  return {
    code: 'BYTES_DAMAGED',
    message: `The bytes of ${visibleName(name)} were damaged on the way (${detail}).`,
    advice: 'They are sent again; if it stays, check the memory and the network of this PC.',
    retryable: true,
    detail,
  };
}

/** The file system noted a change of the file, although its bytes seem to be the same. */
export function fileTouched(name: string): Failure {
  return {
    code: 'FILE_CHANGED',
    message: `The name, rights or times of ${visibleName(name)} were changed while it was sent.`,
    advice: 'Nothing to do: what was sent is compared with the file before the upload is completed.',
    retryable: true,
  };
}

/** A clip over a limit is never sent (service.md gap 6). */
export function fileTooLarge(sizeBytes: number, limitBytes: number): Failure {
  const megabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(bytes < 10_000_000 ? 1 : 0);
  return {
    code: 'FILE_TOO_LARGE',
    message: `Too large: ${megabytes(sizeBytes)} MB, the limit is ${megabytes(limitBytes)} MB.`,
    advice: 'Export the clip again in shorter pieces, or ask the operator of the service for a higher limit.',
    retryable: false,
  };
}

/** A clip without bytes cannot be evidence of anything yet. */
export function fileEmpty(name: string): Failure {
  return {
    code: 'FILE_EMPTY',
    message: `Empty file: ${visibleName(name)} has no bytes.`,
    advice: 'Export it again.',
    retryable: false,
  };
}

/** A connection to storage that broke; what had arrived is unknown, so it is sent again. */
export function storageNetwork(host: string, name: string, code: string, detail: string): Failure {
  return {
    code: 'NETWORK',
    message: `The connection to ${host} broke while ${visibleName(name)} was sent (${code}).`,
    advice: 'Check the network. It is tried again by itself; parts that arrived stay.',
    retryable: true,
    detail,
  };
}

/** Storage took the bytes and gave no usable etag, without which parts cannot be put together. */
export function etagMissing(name: string): Failure {
  return {
    code: 'API_ETAG',
    message: `Storage took ${visibleName(name)} without a usable etag.`,
    advice: 'A proxy may drop the header. It is tried again; if it stays, tell the operator of the service.',
    retryable: true,
  };
}
