import { type Failure, FailureError } from '../../../shared/domain/failure.ts';
import { handlesUsedUp, isHandleShortage } from '../core/failures/upload-failure.ts';
import { withIds } from '../core/text/redact.ts';

/** Longest text of a system's error that is kept, characters. */
const MAX_DETAIL_LENGTH = 200;

/** End of the advice for a failure that uploads wait out; not used for a person's own call. */
export const ON_HOLD = 'Uploads are on hold; nothing is lost.';

/** Beginning of the message for a call that the key may not make although it may make others (service.md gap 3). */
export const LACKS_VIDEO_PERMISSION = 'This key lacks the video permission. ';

/** The failure for a record that is refused while others pass with the same key: the key lacks nothing. */
export function deniedAlone(failure: Failure): Failure {
  return {
    ...failure,
    message: `The service accepts others with the same key. ${failure.message.replace(LACKS_VIDEO_PERMISSION, '')}`,
    advice: 'Check whether its ID belongs to another team, or a firewall refuses its title. Then retry it.',
  };
}

/** Errors of the handshake, before or without a certificate. */
const handshakeCodes = /^ERR_(?:SSL_|TLS_(?!CERT_))/;
const tlsCodes = /^(CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;

/** The system's own code on the error or on what caused it; empty if there is none. */
export function errorCode(error: unknown): string {
  let current = error;
  let found = '';
  while (current instanceof Error) {
    if ('code' in current && typeof current.code === 'string') found = current.code;
    current = current.cause;
  }
  return found;
}

/** A problem with the other side's certificate, or undefined if the code means something else. */
export function tlsFailure(code: string, host: string, detail: string): Failure | undefined {
  if (!tlsCodes.test(code)) return undefined;
  const isHandshake = handshakeCodes.test(code);
  return {
    code: 'TLS_REFUSED',
    message: isHandshake
      ? `No secure connection to ${host} (${code}).`
      : `The certificate of ${host} was refused (${code}).`,
    advice: isHandshake
      ? 'Check the address, and whether a proxy or firewall blocks the connection.'
      : certificateAdvice(code),
    retryable: true,
    detail,
  };
}

/** Advice for a certificate that is refused for this reason. */
export function certificateAdvice(code: string): string {
  switch (code) {
    case 'CERT_HAS_EXPIRED':
      return "Check this PC's clock. If it is right, ask whoever runs that host to renew its certificate.";
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return 'It was issued for another host. Check the address, and whether a proxy or firewall is answering instead.';
    default:
      return "Check this PC's clock. If a proxy inspects TLS, add its certificate to the system's certificate store.";
  }
}

/** The failure that was already known where the error arose: a problem with the proxy. */
export function failureWithin(error: unknown): Failure | undefined {
  let current = error;
  while (current instanceof Error) {
    if (current instanceof FailureError) return current.failure;
    current = current.cause;
  }
  return undefined;
}

/** The other side was reached, but closed the connection before it had answered. */
const brokenCodes: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'EPIPE',
  'ERR_HTTP_CONTENT_LENGTH_MISMATCH',
  'ERR_STREAM_PREMATURE_CLOSE',
]);

/** Advice for an answer that the service would not give. */
export const CHECK_WHO_ANSWERS =
  'Check the service address, and whether a proxy or a login page is answering instead of the service.';

/** The failure for a call without a complete answer: no connection, no trust, no time or no handles left. */
export function networkFailure(error: unknown, host: string): Failure {
  const known = failureWithin(error);
  if (known !== undefined) return known;
  const code = errorCode(error);
  if (isHandleShortage(code)) return handlesUsedUp(code);
  const detail = (error instanceof Error ? error.message : String(error)).slice(0, MAX_DETAIL_LENGTH);
  const refused = tlsFailure(code, host, detail);
  if (refused !== undefined) return refused;
  if (code === 'ETIMEDOUT' || code === 'ESOCKETTIMEDOUT') {
    return {
      code: 'API_TIMEOUT',
      message: `${host} did not respond in time.`,
      advice: 'The agent will retry automatically.',
      retryable: true,
      detail,
    };
  }
  // Errors of Node's HTTP parser and of zlib
  if (/^(?:HPE|Z)_/.test(code)) {
    return {
      code: 'NETWORK',
      message: `The response from ${host} could not be read (${code}).`,
      advice: `${CHECK_WHO_ANSWERS} The agent will retry automatically; nothing is lost.`,
      retryable: true,
      detail,
    };
  }
  const wasBroken = brokenCodes.has(code);
  return {
    code: 'NETWORK',
    message: wasBroken
      ? `The connection to ${host} dropped before the response was complete (${code}).`
      : `No connection to ${host}${code === '' ? '' : ` (${code})`}.`,
    advice: 'Check the network. The agent will retry automatically; nothing is lost.',
    retryable: true,
    detail,
  };
}

/** An answer that is larger than its call allows. */
export function tooLarge(host: string, limitBytes: number): Failure {
  return {
    code: 'API_TOO_LARGE',
    message: `The response from ${host} is larger than the limit of ${limitBytes / 1_048_576} MiB.`,
    advice: 'Request less at a time if possible. Otherwise, tell the operator of the service.',
    retryable: true,
  };
}

/** A call that was not made because its id cannot be part of a URL. */
export function badId(): Failure {
  return {
    code: 'VALIDATION',
    message: 'The ID is empty or cannot be part of a URL. Nothing was sent.',
    advice: 'Check the ID.',
    retryable: false,
  };
}

/** A 404 that is about the service's address and not about a record. `failure` is what the answer says. */
export function nothingAt(what: string, calledUrl: string, failure: Failure): Failure {
  return {
    code: 'API_ADDRESS',
    message: `${what}: nothing found at ${calledUrl} (HTTP 404).`,
    advice: 'Check the service address.',
    retryable: false,
    status: 404,
    ...(failure.detail === undefined ? {} : { detail: failure.detail }),
    ...withIds(failure.requestIds),
  };
}

/** A list that cannot be read to its end: its pages lead in a circle, elsewhere, or on without limit. */
export function pagingFailure(what: string, problem: string): Failure {
  return {
    code: 'API_PAGING',
    message: `${what}: the list could not be read completely because ${problem}.`,
    advice: 'Try again. If this keeps happening, tell the operator of the service.',
    retryable: true,
  };
}

/** The service has no such method for an existing user (service.md gap 24). `failure` is its answer. */
export function methodRefused(what: string, failure: Failure, method: string, other: string): Failure {
  return {
    code: 'METHOD_REFUSED',
    message: `${what}: the service does not accept ${method} (HTTP ${failure.status ?? 'unknown'}). Nothing was changed.`,
    advice: `Set users.updateMethod to ${other} in the settings, and try again.`,
    retryable: false,
    ...(failure.status === undefined ? {} : { status: failure.status }),
    ...(failure.detail === undefined ? {} : { detail: failure.detail }),
    ...withIds(failure.requestIds),
  };
}
