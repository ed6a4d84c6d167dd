import type { FailureCode } from './failure.ts';

/**
 * What a failure affects. `call`: only what was asked for. `root`: everything in one watched folder. `service`,
 * `storage`: every call to that side. `desk`: everything this PC does, whatever the state of the other side.
 */
export type FailureScope = 'call' | 'clip' | 'export' | 'root' | 'service' | 'storage' | 'desk';

/** What both the agent and the pages need to know about a failure; the agent's own part is in `core/failures/`. */
export interface FailurePolicy {
  readonly scope: FailureScope;
  /** What fixes it: trying again (`itself`), a person who changes something outside the call, or nothing. */
  readonly mends: 'itself' | 'person' | 'nothing';
  /**
   * What came instead of the service's answer: nothing, an untrusted certificate, or something unreadable, after which
   * a write may have been carried out.
   */
  readonly answer?: 'none' | 'untrusted' | 'unreadable';
  /**
   * How many failures in a row show that the whole scope is affected, when one may concern a single call. Default 1.
   */
  readonly provenBy?: 2;
  /** The person at the desk caused it or is setting the desk up, so that it is no news to them. */
  readonly isKnown?: true;
}

/** The only place that says what a code means; a code without a row does not compile. */
const policies: Readonly<Record<FailureCode, FailurePolicy>> = {
  NETWORK: { scope: 'service', mends: 'itself', answer: 'none' },
  API_TIMEOUT: { scope: 'service', mends: 'itself', answer: 'none' },
  // A portal or proxy page goes away when someone signs in or the PC changes networks: there is nothing to set here
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
  // The service may fail for one user and work otherwise
  SERVICE_FAULT: { scope: 'service', mends: 'itself', provenBy: 2 },
  // A wrong clock, or an untrusted proxy that inspects TLS
  TLS_REFUSED: { scope: 'service', mends: 'person', answer: 'untrusted' },
  PROXY_AUTH: { scope: 'service', mends: 'person' },
  // Never for a proxy that merely could not connect: that is NETWORK
  PROXY_REFUSED: { scope: 'service', mends: 'person' },
  // Each may concern a single clip; two clips in a row show that it concerns all (service.md gap 33)
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
  // Concerns this desk, unlike PROXY_AUTH: the proxy of the settings or the system cannot even be contacted
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

/** Whether retrying the clip unchanged may succeed; otherwise another export or another limit is needed. */
export function mayPass(code: FailureCode): boolean {
  const { scope, mends } = policies[code];
  return scope !== 'clip' || mends !== 'nothing';
}

/** Whether every other call would fail the same way, once `provenBy` failures in a row have shown it. */
export function concernsAllCalls(code: FailureCode): boolean {
  const { scope } = policies[code];
  return scope === 'service' || scope === 'desk';
}
