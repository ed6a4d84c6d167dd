import { z } from 'zod';

/** Stable names of failures: they appear in logs, `--json` output and documentation. */
export const failureCodes = [
  // Service, service.md "Errors" and gaps 3, 22, 23, 26
  'NETWORK',
  'API_TIMEOUT',
  'API_REDIRECT',
  'API_NOT_JSON',
  'API_BAD_JSON',
  'API_EMPTY',
  'API_TOO_LARGE',
  'API_SHAPE',
  'API_NUMBER',
  'KEY_REFUSED',
  'PERMISSION_MISSING',
  'VIDEO_PERMISSION_MISSING',
  'NOT_FOUND',
  'VALIDATION',
  'INVALID_CHANNEL_USER',
  'METHOD_REFUSED',
  'CHANGED_ELSEWHERE',
  'API_PAGING',
  'API_ADDRESS',
  'RATE_LIMITED',
  'SERVICE_FAULT',
  'TLS_REFUSED',
  // The forward proxy
  'PROXY_AUTH',
  'PROXY_REFUSED',
  // Signed URLs and storage
  'URL_REFUSED',
  'URL_EXPIRED',
  'STORAGE_DENIED',
  'STORAGE_SIGNATURE',
  'STORAGE_NO_UPLOAD',
  'STORAGE_REJECTED',
  'STORAGE_SLOW_DOWN',
  'STORAGE_FAULT',
  'API_PARTS',
  'API_ETAG',
  'BYTES_DAMAGED',
  // Files
  'FILE_EMPTY',
  'FILE_LINK',
  'FILE_NOT_REGULAR',
  'FILE_HARDLINK',
  'FILE_CHANGED',
  'FILE_GONE',
  'FILE_NO_ACCESS',
  'FILE_LOCKED',
  'FILE_OFFLINE',
  'FILE_NAME_UNREADABLE',
  'FILE_TYPE_MISMATCH',
  'FILE_SUM_DIFFERS',
  'FILE_TOO_LARGE',
  'FILE_INCOMPLETE',
  'FILE_READ',
  'FILE_SKIPPED',
  // Thumbnails that are made from clips
  'NO_PICTURE',
  // Folders
  'ROOT_MISSING',
  'ROOT_NOT_FOLDER',
  'ROOT_LINK',
  'ROOT_FORBIDDEN',
  'ROOT_OVERLAP',
  'ROOT_OFFLINE',
  'ROOT_HUNG',
  'ROOT_SILENT',
  'ROOT_DIFFERENT',
  'FOLDER_TOO_DEEP',
  'FOLDER_NO_ACCESS',
  'FOLDER_CYCLE',
  'EXPORT_NOT_RECOGNISED',
  // Sidecars
  'SIDECAR_UNREADABLE',
  'SIDECAR_ENCODING',
  'SIDECAR_TOO_LARGE',
  'SIDECAR_DUPLICATE_KEY',
  'SIDECAR_NUMBER',
  'SIDECAR_DATE',
  'SIDECAR_TOO_DEEP',
  'SIDECAR_PATH',
  'SIDECAR_SHAPE',
  // Configuration and state
  'CONFIG_MISSING',
  'CONFIG_BROKEN',
  'CONFIG_UNKNOWN_KEY',
  'CONFIG_RANGE',
  'CONFIG_URL',
  'CONFIG_PROXY',
  'CONFIG_UNREADABLE',
  'CONFIG_UNSAFE',
  'NOT_SET_UP',
  'POLICY_INVALID',
  'SETTING_MANAGED',
  'KEY_FORMAT',
  'KEY_FILE_OPEN',
  'KEY_MISSING',
  'KEY_STORE',
  'KEY_ORIGIN',
  'DATA_IN_USE',
  'DATA_FOLDER',
  'DATA_FOLDER_REMOTE',
  'DB_FOREIGN',
  'DB_NEWER',
  'DB_BROKEN',
  'AUDIT_BROKEN',
  'DISK_FULL',
  'HANDLES_USED_UP',
  'DISK_ERROR',
  'CANCELLED',
  'PORT_IN_USE',
  'PAGES_MISSING',
  'PROGRAM_CHANGED',
  // Calls of the windows (shared/ipc)
  'CALL_UNKNOWN',
  'CALL_INPUT',
  'CALL_FAULT',
] as const;

/** The code of a failure: one of `failureCodes`. */
export type FailureCode = (typeof failureCodes)[number];

/** Longest request id that is kept, characters. */
const MAX_REQUEST_ID_LENGTH = 200;

/**
 * How the other side's own log identifies an answer: the header's name, and printable ASCII of at most 200 characters.
 */
export const requestIdSchema = z
  .object({
    name: z.string().max(40),
    value: z
      .string()
      .max(MAX_REQUEST_ID_LENGTH)
      .regex(/^[\x21-\x7e][\x20-\x7e]*$/),
  })
  .readonly();
/** See `requestIdSchema`. */
export type RequestId = z.infer<typeof requestIdSchema>;

/** One input that the other side refused: its name on the wire, and what was said about it. */
const failedFieldSchema = z.object({ name: z.string(), text: z.string() });

/**
 * One failure, as data: what happened to which thing, whether trying again helps, and what to do.
 * `message` and `advice` are shown to people and carry no secrets; `detail` is the exact text of the
 * other side, kept for "copy error".
 */
export const failureSchema = z
  .object({
    code: z.enum(failureCodes),
    message: z.string(),
    advice: z.string(),
    /** True when the same step may succeed later without anyone changing anything. */
    retryable: z.boolean(),
    /** HTTP status, when there was an answer. */
    status: z.number().exactOptional(),
    /** Least delay in milliseconds that the other side asked for (`Retry-After`). */
    retryAfterMs: z.number().exactOptional(),
    detail: z.string().exactOptional(),
    /** The inputs that were refused; VALIDATION and CALL_INPUT. */
    fields: z.array(failedFieldSchema).readonly().exactOptional(),
    /** The user that the message was to be attributed to; INVALID_CHANNEL_USER. */
    invalidUserId: z.string().exactOptional(),
    /** True when a write was sent and its answer never came: it may have been carried out. */
    mayHaveHappened: z.boolean().exactOptional(),
    /** How the service or storage identifies the answer in its own logs. */
    requestIds: z.array(requestIdSchema).readonly().exactOptional(),
  })
  .readonly();
/** A failure; see `failureSchema`. */
export type Failure = z.infer<typeof failureSchema>;
/** One refused input of a failure. */
export type FailedField = z.infer<typeof failedFieldSchema>;

/** Merges failures into one with the code of the first: messages one after the other, refused inputs together. */
export function failuresInOne(failures: readonly Failure[]): Failure {
  const [first] = failures;
  if (first === undefined) throw new Error('Something was refused without a reason');
  return {
    ...first,
    message: failures.map(({ message }) => message).join(' '),
    ...(first.fields && { fields: failures.flatMap(({ fields = [] }) => fields) }),
  };
}

/** Carries a failure where a promise can only reject. `cause` keeps the original error. */
export class FailureError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure, options?: ErrorOptions) {
    super(`${failure.code}: ${failure.message}`, options);
    this.name = 'FailureError';
    this.failure = failure;
  }
}
