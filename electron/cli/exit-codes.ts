import type { FailureCode } from '../../shared/domain/failure.ts';

/** What the program ends with; scripts rely on these numbers. */
export const exitCodes = {
  ok: 0,
  fault: 1,
  usage: 2,
  configuration: 10,
  keyRefused: 11,
  unreachable: 12,
  dataInUse: 13,
  someFailed: 14,
  interrupted: 130,
  terminated: 143,
} as const;

/** One of the values of `exitCodes`. */
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

const codesByExit: readonly (readonly [ExitCode, readonly FailureCode[]])[] = [
  [
    exitCodes.configuration,
    [
      'CONFIG_MISSING',
      'CONFIG_BROKEN',
      'CONFIG_UNKNOWN_KEY',
      'CONFIG_RANGE',
      'CONFIG_URL',
      'CONFIG_PROXY',
      'CONFIG_UNREADABLE',
      'NOT_SET_UP',
      'POLICY_INVALID',
      'ROOT_MISSING',
      'ROOT_NOT_FOLDER',
      'ROOT_LINK',
      'ROOT_FORBIDDEN',
      'ROOT_OVERLAP',
    ],
  ],
  [
    exitCodes.keyRefused,
    [
      'KEY_REFUSED',
      'KEY_FORMAT',
      'KEY_FILE_OPEN',
      'KEY_MISSING',
      'KEY_STORE',
      'PERMISSION_MISSING',
      'VIDEO_PERMISSION_MISSING',
    ],
  ],
  [
    // Whatever answers there is not the service, or not one that can be used now
    exitCodes.unreachable,
    [
      'NETWORK',
      'TLS_REFUSED',
      'PROXY_AUTH',
      'PROXY_REFUSED',
      'NOT_FOUND',
      'API_TIMEOUT',
      'API_REDIRECT',
      'API_NOT_JSON',
      'API_BAD_JSON',
      'API_EMPTY',
      'API_TOO_LARGE',
      'API_SHAPE',
      'API_NUMBER',
      'API_PAGING',
      'RATE_LIMITED',
      'SERVICE_FAULT',
      'STORAGE_SLOW_DOWN',
      'STORAGE_FAULT',
    ],
  ],
  [exitCodes.dataInUse, ['DATA_IN_USE']],
];

const exitByCode: ReadonlyMap<FailureCode, ExitCode> = new Map(
  codesByExit.flatMap(([exit, codes]) => codes.map((code) => [code, exit] as const)),
);

/** The exit code for a failure that ended the whole command; faults that no one can act on by that number are 1. */
export function exitCodeFor(code: FailureCode): ExitCode {
  return exitByCode.get(code) ?? exitCodes.fault;
}
