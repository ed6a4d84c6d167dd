import type { FailureCode } from './failure.ts';

/**
 * Whom a failure concerns. `call`: what was asked for and nothing else. `root`: everything in one watched folder.
 * `service`, `storage`: every call of that side. `desk`: everything this PC does, whatever the other side is like.
 */
export type FailureScope = 'call' | 'clip' | 'export' | 'root' | 'service' | 'storage' | 'desk';

/** What the agent and the pages both need to know about a failure; the agent's share is in `core/failures/`. */
export interface FailurePolicy {
  readonly scope: FailureScope;
  /** What mends it: trying again (`itself`), a person who changes something outside of the call, or nothing. */
  readonly mends: 'itself' | 'person' | 'nothing';
  /**
   * What came in place of the service's answer: nothing at all, a certificate that is not trusted, or something that
   * cannot be read, after which a write may have been carried out.
   */
  readonly answer?: 'none' | 'untrusted' | 'unreadable';
  /** How many failures in a row show that the whole scope is hit, when one may be about a single call. Default 1. */
  readonly provenBy?: 2;
  /** Whoever sits at the desk caused it, or is setting the desk up: it is no news to them. */
  readonly isKnown?: true;
}

/** The one place that says what a code means; a code without a row does not compile. */
const policies: Readonly<Record<FailureCode, FailurePolicy>> = {
  NETWORK: { scope: 'service', mends: 'itself', answer: 'none' },
  API_TIMEOUT: { scope: 'service', mends: 'itself', answer: 'none' },
  // A portal or a proxy page goes away when someone logs in or the PC changes its network: nothing to set here
  API_REDIRECT: { scope: 'service', mends: 'itself' },
  API_NOT_JSON: { scope: 'service', mends: 'itself', answer: 'unreadable' },
  API_BAD_JSON: { scope: 'service', mends: 'itself', answer: 'unreadable', provenBy: 2 },
  API_EMPTY: { scope: 'service', mends: 'itself', answer: 'unreadable', provenBy: 2 },
  API_TOO_LARGE: { scope: 'service', mends: 'itself', answer: 'unreadable', provenBy: 2 },
  API_SHAPE: { scope: 'service', mends: 'itself', answer: 'unreadable', provenBy: 2 },
  API_NUMBER: { scope: 'service', mends: 'itself', answer: 'unreadable', provenBy: 2 },
  KEY_REFUSED: { scope: 'service', mends: 'person' },
  PERMISSION_MISSING: { scope: 'service', mends: 'person' },
  VIDEO_PERMISSION_MISSING: { scope: 'service', mends: 'person' },
  NOT_FOUND: { scope: 'call', mends: 'nothing' },
  VALIDATION: { scope: 'call', mends: 'nothing' },
  INVALID_CHANNEL_USER: { scope: 'call', mends: 'nothing' },
  METHOD_REFUSED: { scope: 'service', mends: 'person' },
  CHANGED_ELSEWHERE: { scope: 'call', mends: 'person' },
  API_PAGING: { scope: 'call', mends: 'itself' },
  API_ADDRESS: { scope: 'service', mends: 'person' },
  RATE_LIMITED: { scope: 'service', mends: 'itself' },
  // The service may stumble over one user and be well otherwise
  SERVICE_FAULT: { scope: 'service', mends: 'itself', provenBy: 2 },
  // A clock that is wrong, or a proxy that inspects TLS and is not trusted
  TLS_REFUSED: { scope: 'service', mends: 'person', answer: 'untrusted' },
  PROXY_AUTH: { scope: 'service', mends: 'person' },
  // Never for a proxy that could not get through just now: that is NETWORK
  PROXY_REFUSED: { scope: 'service', mends: 'person' },
  // Each may be about one clip, and is about all when two clips in a row meet it (service.md gap 33)
  URL_REFUSED: { scope: 'service', mends: 'itself', provenBy: 2 },
  URL_EXPIRED: { scope: 'storage', mends: 'itself', provenBy: 2 },
  STORAGE_DENIED: { scope: 'storage', mends: 'itself', provenBy: 2 },
  STORAGE_SIGNATURE: { scope: 'storage', mends: 'itself', provenBy: 2 },
  STORAGE_NO_UPLOAD: { scope: 'storage', mends: 'itself', provenBy: 2 },
  STORAGE_REJECTED: { scope: 'storage', mends: 'itself', provenBy: 2 },
  STORAGE_SLOW_DOWN: { scope: 'storage', mends: 'itself' },
  STORAGE_FAULT: { scope: 'storage', mends: 'itself', provenBy: 2 },
  API_PARTS: { scope: 'service', mends: 'itself', provenBy: 2 },
  API_ETAG: { scope: 'storage', mends: 'itself', provenBy: 2 },
  BYTES_DAMAGED: { scope: 'storage', mends: 'itself', provenBy: 2 },
  FILE_EMPTY: { scope: 'clip', mends: 'person' },
  FILE_LINK: { scope: 'clip', mends: 'person' },
  FILE_NOT_REGULAR: { scope: 'clip', mends: 'person' },
  FILE_HARDLINK: { scope: 'clip', mends: 'person' },
  FILE_CHANGED: { scope: 'clip', mends: 'itself' },
  FILE_GONE: { scope: 'clip', mends: 'person' },
  FILE_NO_ACCESS: { scope: 'clip', mends: 'person' },
  FILE_LOCKED: { scope: 'clip', mends: 'itself' },
  FILE_OFFLINE: { scope: 'clip', mends: 'person' },
  FILE_NAME_UNREADABLE: { scope: 'clip', mends: 'person' },
  FILE_TYPE_MISMATCH: { scope: 'clip', mends: 'person' },
  FILE_SUM_DIFFERS: { scope: 'clip', mends: 'person' },
  FILE_TOO_LARGE: { scope: 'clip', mends: 'nothing' },
  FILE_INCOMPLETE: { scope: 'clip', mends: 'itself' },
  FILE_READ: { scope: 'clip', mends: 'itself' },
  FILE_SKIPPED: { scope: 'clip', mends: 'nothing' },
  NO_PICTURE: { scope: 'clip', mends: 'nothing' },
  ROOT_MISSING: { scope: 'root', mends: 'person' },
  ROOT_NOT_FOLDER: { scope: 'root', mends: 'person' },
  ROOT_LINK: { scope: 'root', mends: 'person' },
  ROOT_FORBIDDEN: { scope: 'root', mends: 'person' },
  ROOT_OVERLAP: { scope: 'root', mends: 'person' },
  ROOT_OFFLINE: { scope: 'root', mends: 'itself' },
  ROOT_HUNG: { scope: 'root', mends: 'itself' },
  ROOT_SILENT: { scope: 'root', mends: 'itself' },
  ROOT_DIFFERENT: { scope: 'root', mends: 'person' },
  FOLDER_TOO_DEEP: { scope: 'export', mends: 'person' },
  FOLDER_NO_ACCESS: { scope: 'export', mends: 'person' },
  FOLDER_CYCLE: { scope: 'export', mends: 'person' },
  EXPORT_NOT_RECOGNISED: { scope: 'export', mends: 'person' },
  SIDECAR_UNREADABLE: { scope: 'export', mends: 'person' },
  SIDECAR_ENCODING: { scope: 'export', mends: 'person' },
  SIDECAR_TOO_LARGE: { scope: 'export', mends: 'person' },
  SIDECAR_DUPLICATE_KEY: { scope: 'export', mends: 'person' },
  SIDECAR_NUMBER: { scope: 'export', mends: 'person' },
  SIDECAR_DATE: { scope: 'export', mends: 'person' },
  SIDECAR_TOO_DEEP: { scope: 'export', mends: 'person' },
  SIDECAR_PATH: { scope: 'export', mends: 'person' },
  SIDECAR_SHAPE: { scope: 'export', mends: 'person' },
  CONFIG_MISSING: { scope: 'desk', mends: 'person' },
  CONFIG_BROKEN: { scope: 'desk', mends: 'person' },
  CONFIG_UNKNOWN_KEY: { scope: 'desk', mends: 'person' },
  CONFIG_RANGE: { scope: 'desk', mends: 'person' },
  CONFIG_URL: { scope: 'desk', mends: 'person' },
  // Of this desk, unlike PROXY_AUTH: the proxy that the settings or the system name cannot even be asked
  CONFIG_PROXY: { scope: 'desk', mends: 'person' },
  CONFIG_UNREADABLE: { scope: 'desk', mends: 'person' },
  CONFIG_UNSAFE: { scope: 'desk', mends: 'person' },
  NOT_SET_UP: { scope: 'desk', mends: 'person', isKnown: true },
  POLICY_INVALID: { scope: 'desk', mends: 'person' },
  SETTING_MANAGED: { scope: 'call', mends: 'nothing' },
  KEY_FORMAT: { scope: 'desk', mends: 'person' },
  KEY_FILE_OPEN: { scope: 'desk', mends: 'person' },
  KEY_MISSING: { scope: 'desk', mends: 'person' },
  KEY_STORE: { scope: 'desk', mends: 'person' },
  KEY_ORIGIN: { scope: 'desk', mends: 'person' },
  DATA_IN_USE: { scope: 'desk', mends: 'person' },
  DATA_FOLDER: { scope: 'desk', mends: 'person' },
  DATA_FOLDER_REMOTE: { scope: 'desk', mends: 'person' },
  DB_FOREIGN: { scope: 'desk', mends: 'person' },
  DB_NEWER: { scope: 'desk', mends: 'person' },
  // Set aside and rebuilt from the folders and the service
  DB_BROKEN: { scope: 'desk', mends: 'itself' },
  AUDIT_BROKEN: { scope: 'desk', mends: 'nothing' },
  DISK_FULL: { scope: 'desk', mends: 'person' },
  HANDLES_USED_UP: { scope: 'desk', mends: 'itself' },
  DISK_ERROR: { scope: 'desk', mends: 'person' },
  CANCELLED: { scope: 'call', mends: 'itself', isKnown: true },
  PORT_IN_USE: { scope: 'desk', mends: 'person' },
  PAGES_MISSING: { scope: 'desk', mends: 'person' },
  PROGRAM_CHANGED: { scope: 'desk', mends: 'person' },
  CALL_UNKNOWN: { scope: 'desk', mends: 'nothing' },
  CALL_INPUT: { scope: 'call', mends: 'nothing' },
  CALL_FAULT: { scope: 'desk', mends: 'nothing' },
};

/** What a failure with this code means. */
export function policyOf(code: FailureCode): FailurePolicy {
  return policies[code];
}

/** Whether trying the clip again as it is may succeed; where it never does, another export or another limit is needed. */
export function mayPass(code: FailureCode): boolean {
  const { scope, mends } = policies[code];
  return scope !== 'clip' || mends !== 'nothing';
}

/** Whether every other call would meet the same, once `provenBy` failures in a row have shown it. */
export function concernsAllCalls(code: FailureCode): boolean {
  const { scope } = policies[code];
  return scope === 'service' || scope === 'desk';
}
