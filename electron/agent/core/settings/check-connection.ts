import type { Failure } from '../../../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../../../shared/lib/result.ts';

/** Longest base URL, characters; a longer one is not an address. */
const LONGEST_URL = 2048;
const URL_START = /^https?:\/\//i;
/** White space and control characters: the URL parser would drop some of them silently. */
const NOT_IN_URL = /[\s\p{Cc}\\]/u;

/** The base URL as typed without its trailing slashes, or why it cannot be used (service.md gap 2). */
export function checkBaseUrl(text: string): Result<string, Failure> {
  const reason = findFault(text);
  if (reason !== undefined) return err(urlFailure(reason));
  return ok(text.replace(/\/+$/, ''));
}

/** True for hosts of this machine only, as `URL.hostname` spells them. */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** True for a service on this machine; false without an address. */
export function isOnThisMachine(baseUrl: string | undefined): boolean {
  return baseUrl !== undefined && isLoopbackHost(new URL(baseUrl).hostname);
}

function findFault(text: string): string | undefined {
  if (text.trim() === '') return 'is empty';
  if (text.length > LONGEST_URL) return `is longer than ${LONGEST_URL} characters`;
  if (NOT_IN_URL.test(text)) return 'contains a space, a backslash or a control character';
  if (!URL_START.test(text)) return 'does not begin with https://';
  if (/^https?:\/\/(?:[/\\?#]|$)/i.test(text)) return 'is missing the host name';
  if (!URL.canParse(text)) return 'is not a valid address';
  const url = new URL(text);
  if (url.username !== '' || url.password !== '' || /^https?:\/\/[^/?#]*@/i.test(text))
    return 'contains a user name or password';
  if (text.includes('?')) return 'contains a query (?...)';
  if (text.includes('#')) return 'contains a fragment (#...)';
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname))
    return 'begins with http://, which is allowed only for addresses on this PC';
  return undefined;
}

// The address itself is not repeated: it may hold a password.
const urlFailure = (reason: string): Failure => ({
  code: 'CONFIG_URL',
  message: `baseUrl ${reason}.`,
  advice:
    'Enter the address of the service, such as "https://api.example.com/v1": https, host and path only.',
  retryable: false,
});

/** No call can be made because no service address is set. */
export const notSetUp: Failure = {
  code: 'NOT_SET_UP',
  message: 'No service is set up at this desk.',
  advice:
    "Enter the service's address and key on the first screen or in Settings, or set baseUrl and apiKeyFile in the settings file.",
  retryable: false,
};

/** No call can be made without a key; it may be stored while the queue waits. */
export const keyMissing: Failure = {
  code: 'KEY_MISSING',
  message: 'No API key is set.',
  advice:
    'Save the key in Settings, or put it in a file (on macOS and Linux, with mode 0600) and set apiKeyFile to its path.',
  retryable: true,
};

/** Shortest plausible key, characters. */
const SHORTEST_KEY = 8;
/** Longest key, characters: it has to fit into one header line. */
const LONGEST_KEY = 512;

/** Placeholders in place of a key, after separators were removed. */
const PLACEHOLDER =
  /^[<[{("'$%]|^(?:your|my|the|put|insert|enter|paste|add)?(?:own)?(?:api|secret|access)?(?:auth)?(?:key|token|secret)(?:here|goeshere)?$|^(?:changeme|replaceme|placeholder|todo|example|x+|0+|\*+|\.+)(?:key|token)?$/i;

/** The API key without white space around it, or why the text cannot be one. The text never appears in the failure. */
export function parseKey(text: string): Result<string, Failure> {
  const key = text.trim();
  const reason = findKeyFault(key);
  return reason === undefined ? ok(key) : err(keyFailure(reason));
}

function findKeyFault(key: string): string | undefined {
  if (key === '') return 'is empty';
  if (/^bearer\s/i.test(key)) return 'begins with the word "Bearer"; enter only the key itself';
  if (/[\r\n]/.test(key)) return 'has more than one line';
  if (/\s/.test(key)) return 'contains spaces or tabs';
  if (!/^[\x21-\x7e]+$/.test(key)) return 'contains characters that are not printable ASCII';
  if (/^["'`]|["'`]$/.test(key)) return 'begins or ends with a quotation mark';
  if (PLACEHOLDER.test(key.replaceAll(/[-_]/g, ''))) return 'is a placeholder, not a key';
  if (key.length < SHORTEST_KEY || key.length > LONGEST_KEY)
    return `must have ${SHORTEST_KEY} to ${LONGEST_KEY} characters, but has ${key.length}`;
  return undefined;
}

const keyFailure = (reason: string): Failure => ({
  code: 'KEY_FORMAT',
  message: `The API key ${reason}.`,
  advice: 'Paste the key exactly as you received it: one line, nothing else.',
  retryable: false,
});
