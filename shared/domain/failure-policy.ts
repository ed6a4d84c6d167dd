import type { FailureCode } from './failure.ts';

/**
 * What a failure affects. `call`: only what was asked for. `root`: everything in one watched folder. `service`,
 * `storage`: every call to that side. `desk`: everything this PC does, whatever the state of the other side.
 */
export type FailureScope = 'call' | 'clip' | 'export' | 'root' | 'service' | 'storage' | 'desk';

/** What both the agent and the pages need to know about a failure; the agent's own part is in `core/failures/`. */
export interface FailurePolicy {
  readonly scope: FailureScope;
  /** What fixes it: trying again (`automatic`), a person who changes something outside the call (`manual`), nothing. */
  readonly recovery: 'automatic' | 'manual' | 'none';
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
  NETWORK: { scope: 'service', recovery: 'automatic', answer: 'none' },
  API_TIMEOUT: { scope: 'service', recovery: 'automatic', answer: 'none' },
  // A portal or proxy page goes away when someone signs in or the PC changes networks: there is nothing to set here
  API_REDIRECT: { scope: 'service', recovery: 'automatic' },
  API_NOT_JSON: { scope: 'service', recovery: 'automatic', answer: 'unreadable' },
  API_BAD_JSON: { scope: 'service', recovery: 'automatic', answer: 'unreadable', provenBy: 2 },
  API_EMPTY: { scope: 'service', recovery: 'automatic', answer: 'unreadable', provenBy: 2 },
  API_TOO_LARGE: { scope: 'service', recovery: 'automatic', answer: 'unreadable', provenBy: 2 },
  API_SHAPE: { scope: 'service', recovery: 'automatic', answer: 'unreadable', provenBy: 2 },
  API_NUMBER: { scope: 'service', recovery: 'automatic', answer: 'unreadable', provenBy: 2 },
  KEY_REFUSED: { scope: 'service', recovery: 'manual' },
  PERMISSION_MISSING: { scope: 'service', recovery: 'manual' },
  VIDEO_PERMISSION_MISSING: { scope: 'service', recovery: 'manual' },
  NOT_FOUND: { scope: 'call', recovery: 'none' },
  VALIDATION: { scope: 'call', recovery: 'none' },
  INVALID_CHANNEL_USER: { scope: 'call', recovery: 'none' },
  METHOD_REFUSED: { scope: 'service', recovery: 'manual' },
  CHANGED_ELSEWHERE: { scope: 'call', recovery: 'manual' },
  API_PAGING: { scope: 'call', recovery: 'automatic' },
  API_ADDRESS: { scope: 'service', recovery: 'manual' },
  RATE_LIMITED: { scope: 'service', recovery: 'automatic' },
  // The service may fail for one user and work otherwise
  SERVICE_FAULT: { scope: 'service', recovery: 'automatic', provenBy: 2 },
  // A wrong clock, or an untrusted proxy that inspects TLS
  TLS_REFUSED: { scope: 'service', recovery: 'manual', answer: 'untrusted' },
  PROXY_AUTH: { scope: 'service', recovery: 'manual' },
  // Never for a proxy that merely could not connect: that is NETWORK
  PROXY_REFUSED: { scope: 'service', recovery: 'manual' },
  // Each may concern a single clip; two clips in a row show that it concerns all (service.md gap 33)
  URL_REFUSED: { scope: 'service', recovery: 'automatic', provenBy: 2 },
  URL_EXPIRED: { scope: 'storage', recovery: 'automatic', provenBy: 2 },
  STORAGE_DENIED: { scope: 'storage', recovery: 'automatic', provenBy: 2 },
  STORAGE_SIGNATURE: { scope: 'storage', recovery: 'automatic', provenBy: 2 },
  STORAGE_NO_UPLOAD: { scope: 'storage', recovery: 'automatic', provenBy: 2 },
  STORAGE_REJECTED: { scope: 'storage', recovery: 'automatic', provenBy: 2 },
  STORAGE_SLOW_DOWN: { scope: 'storage', recovery: 'automatic' },
  STORAGE_FAULT: { scope: 'storage', recovery: 'automatic', provenBy: 2 },
  API_PARTS: { scope: 'service', recovery: 'automatic', provenBy: 2 },
  API_ETAG: { scope: 'storage', recovery: 'automatic', provenBy: 2 },
  BYTES_DAMAGED: { scope: 'storage', recovery: 'automatic', provenBy: 2 },
  FILE_EMPTY: { scope: 'clip', recovery: 'manual' },
  FILE_LINK: { scope: 'clip', recovery: 'manual' },
  FILE_NOT_REGULAR: { scope: 'clip', recovery: 'manual' },
  FILE_HARDLINK: { scope: 'clip', recovery: 'manual' },
  FILE_CHANGED: { scope: 'clip', recovery: 'automatic' },
  FILE_GONE: { scope: 'clip', recovery: 'manual' },
  FILE_NO_ACCESS: { scope: 'clip', recovery: 'manual' },
  FILE_LOCKED: { scope: 'clip', recovery: 'automatic' },
  FILE_OFFLINE: { scope: 'clip', recovery: 'manual' },
  FILE_NAME_UNREADABLE: { scope: 'clip', recovery: 'manual' },
  FILE_TYPE_MISMATCH: { scope: 'clip', recovery: 'manual' },
  FILE_SUM_DIFFERS: { scope: 'clip', recovery: 'manual' },
  FILE_TOO_LARGE: { scope: 'clip', recovery: 'none' },
  FILE_INCOMPLETE: { scope: 'clip', recovery: 'automatic' },
  FILE_READ: { scope: 'clip', recovery: 'automatic' },
  FILE_SKIPPED: { scope: 'clip', recovery: 'none' },
  NO_PICTURE: { scope: 'clip', recovery: 'none' },
  ROOT_MISSING: { scope: 'root', recovery: 'manual' },
  ROOT_NOT_FOLDER: { scope: 'root', recovery: 'manual' },
  ROOT_LINK: { scope: 'root', recovery: 'manual' },
  ROOT_FORBIDDEN: { scope: 'root', recovery: 'manual' },
  ROOT_OVERLAP: { scope: 'root', recovery: 'manual' },
  ROOT_OFFLINE: { scope: 'root', recovery: 'automatic' },
  ROOT_HUNG: { scope: 'root', recovery: 'automatic' },
  ROOT_SILENT: { scope: 'root', recovery: 'automatic' },
  ROOT_DIFFERENT: { scope: 'root', recovery: 'manual' },
  FOLDER_TOO_DEEP: { scope: 'export', recovery: 'manual' },
  FOLDER_NO_ACCESS: { scope: 'export', recovery: 'manual' },
  FOLDER_CYCLE: { scope: 'export', recovery: 'manual' },
  EXPORT_NOT_RECOGNISED: { scope: 'export', recovery: 'manual' },
  SIDECAR_UNREADABLE: { scope: 'export', recovery: 'manual' },
  SIDECAR_ENCODING: { scope: 'export', recovery: 'manual' },
  SIDECAR_TOO_LARGE: { scope: 'export', recovery: 'manual' },
  SIDECAR_DUPLICATE_KEY: { scope: 'export', recovery: 'manual' },
  SIDECAR_NUMBER: { scope: 'export', recovery: 'manual' },
  SIDECAR_DATE: { scope: 'export', recovery: 'manual' },
  SIDECAR_TOO_DEEP: { scope: 'export', recovery: 'manual' },
  SIDECAR_PATH: { scope: 'export', recovery: 'manual' },
  SIDECAR_SHAPE: { scope: 'export', recovery: 'manual' },
  CONFIG_MISSING: { scope: 'desk', recovery: 'manual' },
  CONFIG_BROKEN: { scope: 'desk', recovery: 'manual' },
  CONFIG_UNKNOWN_KEY: { scope: 'desk', recovery: 'manual' },
  CONFIG_RANGE: { scope: 'desk', recovery: 'manual' },
  CONFIG_URL: { scope: 'desk', recovery: 'manual' },
  // Concerns this desk, unlike PROXY_AUTH: the proxy of the settings or the system cannot even be contacted
  CONFIG_PROXY: { scope: 'desk', recovery: 'manual' },
  CONFIG_UNREADABLE: { scope: 'desk', recovery: 'manual' },
  CONFIG_UNSAFE: { scope: 'desk', recovery: 'manual' },
  NOT_SET_UP: { scope: 'desk', recovery: 'manual', isKnown: true },
  POLICY_INVALID: { scope: 'desk', recovery: 'manual' },
  SETTING_MANAGED: { scope: 'call', recovery: 'none' },
  KEY_FORMAT: { scope: 'desk', recovery: 'manual' },
  KEY_FILE_OPEN: { scope: 'desk', recovery: 'manual' },
  KEY_MISSING: { scope: 'desk', recovery: 'manual' },
  KEY_STORE: { scope: 'desk', recovery: 'manual' },
  KEY_ORIGIN: { scope: 'desk', recovery: 'manual' },
  DATA_IN_USE: { scope: 'desk', recovery: 'manual' },
  DATA_FOLDER: { scope: 'desk', recovery: 'manual' },
  DATA_FOLDER_REMOTE: { scope: 'desk', recovery: 'manual' },
  DB_FOREIGN: { scope: 'desk', recovery: 'manual' },
  DB_NEWER: { scope: 'desk', recovery: 'manual' },
  // Set aside and rebuilt from the folders and the service
  DB_BROKEN: { scope: 'desk', recovery: 'automatic' },
  AUDIT_BROKEN: { scope: 'desk', recovery: 'none' },
  DISK_FULL: { scope: 'desk', recovery: 'manual' },
  HANDLES_USED_UP: { scope: 'desk', recovery: 'automatic' },
  DISK_ERROR: { scope: 'desk', recovery: 'manual' },
  CANCELLED: { scope: 'call', recovery: 'automatic', isKnown: true },
  PORT_IN_USE: { scope: 'desk', recovery: 'manual' },
  PAGES_MISSING: { scope: 'desk', recovery: 'manual' },
  PROGRAM_CHANGED: { scope: 'desk', recovery: 'manual' },
  CALL_UNKNOWN: { scope: 'desk', recovery: 'none' },
  CALL_INPUT: { scope: 'call', recovery: 'none' },
  CALL_FAULT: { scope: 'desk', recovery: 'none' },
};

/** What a failure with this code means. */
export function policyOf(code: FailureCode): FailurePolicy {
  return policies[code];
}

/** Whether retrying the clip unchanged may succeed; otherwise another export or another limit is needed. */
export function mayPass(code: FailureCode): boolean {
  const { scope, recovery } = policies[code];
  return scope !== 'clip' || recovery !== 'none';
}

/** Whether every other call would fail the same way, once `provenBy` failures in a row have shown it. */
export function concernsAllCalls(code: FailureCode): boolean {
  const { scope } = policies[code];
  return scope === 'service' || scope === 'desk';
}
