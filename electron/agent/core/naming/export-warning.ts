import type { FailureCode } from '../../../../shared/domain/failure.ts';

/** What can be odd about an export without stopping it. */
export type ExportWarningCode =
  | FailureCode
  | 'FILE_NAME_HIDDEN'
  | 'FILE_TIME_UNLIKELY'
  | 'TIME_DOUBLED'
  | 'TIME_MISSING_HOUR'
  | 'TIME_ORDER'
  | 'DURATION_DIFFERS'
  | 'SIDECAR_CLIP_MISSING'
  | 'SIDECAR_THUMBNAIL_MISSING'
  | 'PROFILE_UNKNOWN'
  | 'NEEDS_VENDOR_PLAYER';

/** One oddity of an export, in words for people; `file` is the path inside the export. */
export interface ExportWarning {
  readonly code: ExportWarningCode;
  readonly message: string;
  readonly file?: string;
}
