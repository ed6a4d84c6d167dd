import type { FailureCode } from './failure.ts';

/** Why uploads wait where waiting does not mend it: someone has to set the desk up, or give it another key, right or way out. */
export const needsPerson: ReadonlySet<FailureCode> = new Set<FailureCode>([
  'NOT_SET_UP',
  'KEY_REFUSED',
  'KEY_MISSING',
  'KEY_FORMAT',
  'KEY_FILE_OPEN',
  'KEY_STORE',
  'PERMISSION_MISSING',
  'VIDEO_PERMISSION_MISSING',
  'TLS_REFUSED',
  'PROXY_AUTH',
  'PROXY_REFUSED',
  'CONFIG_PROXY',
]);
