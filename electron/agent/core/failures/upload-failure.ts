import type { Failure } from '../../../../shared/domain/failure.ts';
import { visibleName } from '../../../../shared/lib/visible-name.ts';

/** What was stored is not what was read, although the file did not change. */
export function bytesDamaged(name: string, detail: string): Failure {
  return {
    code: 'BYTES_DAMAGED',
    message: `The bytes of ${visibleName(name)} were damaged in transit (${detail}).`,
    advice: "They will be sent again. If this keeps happening, check this PC's memory and network.",
    retryable: true,
    detail,
  };
}

/** The file system noted a change of the file, although its bytes seem to be the same. */
export function fileTouched(name: string): Failure {
  return {
    code: 'FILE_CHANGED',
    message: `The name, permissions or times of ${visibleName(name)} changed while it was being sent.`,
    advice: 'Nothing to do: the file is compared with what was sent before the upload is completed.',
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
    message: `The connection to ${host} dropped while sending ${visibleName(name)} (${code}).`,
    advice: 'Check the network. It will retry automatically; parts that arrived are kept.',
    retryable: true,
    detail,
  };
}

/** Storage took the bytes and gave no usable etag, without which parts cannot be put together. */
export function etagMissing(name: string): Failure {
  return {
    code: 'API_ETAG',
    message: `Storage accepted ${visibleName(name)} without a usable ETag.`,
    advice:
      'A proxy may be removing the header. It will retry automatically. If this keeps happening, tell the operator of the service.',
    retryable: true,
  };
}

const names: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'ENOBUFS']);

/** Whether a system error of this name says that this program has no handles or memory left, and nothing about a file. */
export function isHandleShortage(name: string): boolean {
  return names.has(name);
}

/** The failure for such an error: whatever was to be done is tried again. */
export function handlesUsedUp(detail: string): Failure {
  return {
    code: 'HANDLES_USED_UP',
    message: 'The agent has run out of file handles and is slower until some are free.',
    advice:
      "Nothing to do: it will recover automatically. If this lasts, raise this account's limit on open files, or restart the agent.",
    retryable: true,
    detail,
  };
}
