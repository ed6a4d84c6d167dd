import type { Failure } from '../../../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../../../shared/lib/result.ts';

/** Longest signed URL that is accepted, characters (8 KiB: real ones are under 2 KiB). */
const MAX_URL_CHARACTERS = 8192;
const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);
const LOCAL_NAME = /(^|\.)(localhost|local|internal)$/;
const DNS_NAME =
  /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*$/;
const IP_LITERAL = /^(\[.*\]|\d+(\.\d+){3})$/;
/** CRC32 of an empty body: if the signer included it, storage accepts no other bytes. */
const EMPTY_BODY_CRC32 = 'AAAAAA==';

/** What a signed URL may contain. */
export interface SignedUrlRules {
  /** True only when the service itself is on loopback: then http and any port are accepted for loopback hosts. */
  readonly allowLoopback: boolean;
  /** Allowed hosts: `name`, `name:port` or `*.suffix`; empty: any public name. */
  readonly hosts: readonly string[];
  /** Host (with port, as `URL.host` has it) of the first URL of the same upload. */
  readonly pinnedHost?: string;
}

/** Checks a URL given by the service. The error URL_REFUSED names the host, never the query. */
export function checkSignedUrl(text: unknown, rules: SignedUrlRules): Result<URL, Failure> {
  const textProblem = problemOfText(text);
  if (textProblem !== undefined || typeof text !== 'string') return refused(textProblem ?? 'it is not text');
  const parsed = URL.parse(text);
  if (parsed === null) return refused('it is not a valid URL');
  const url = withoutTrailingDot(parsed);
  const problem = problemOfHost(url, rules) ?? problemOfPin(url, rules) ?? problemOfQuery(url);
  return problem === undefined ? ok(url) : refused(problem, url.host);
}

function problemOfText(text: unknown): string | undefined {
  if (typeof text !== 'string') return 'it is not text';
  if (text === '') return 'it is empty';
  if (text.length > MAX_URL_CHARACTERS) return `it is longer than ${MAX_URL_CHARACTERS} characters`;
  if (/[\s\p{Cc}\p{Cf}]/u.test(text)) return 'it contains spaces or hidden characters';
  if (text.includes('\\')) return 'it contains a backslash';
  if (!/^https?:\/\//i.test(text)) return 'it does not begin with https://';
  if (!/^https?:\/\/[^/?#]/i.test(text)) return 'it is missing the host name';
  if (text.includes('#')) return 'it contains a fragment';
  const authority = /^[a-z]+:\/\/([^/?]*)/i.exec(text)?.[1] ?? '';
  return authority.includes('@') ? 'it contains a user name or password' : undefined;
}

function withoutTrailingDot(url: URL): URL {
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1);
  return url;
}

function problemOfHost(url: URL, rules: SignedUrlRules): string | undefined {
  if (rules.allowLoopback && LOOPBACK_HOSTS.has(url.hostname)) return undefined;
  if (url.protocol !== 'https:') return 'it does not use https';
  if (IP_LITERAL.test(url.hostname)) return 'its host is an IP address, not a name';
  if (!DNS_NAME.test(url.hostname)) return 'its host is not a valid name';
  if (LOCAL_NAME.test(url.hostname)) return 'its host is a local name';
  if (rules.hosts.length > 0) {
    return rules.hosts.some((entry) => isNamedBy(url, entry))
      ? undefined
      : `${url.host} is not in upload.hosts`;
  }
  return url.port === '' ? undefined : `its port ${url.port} is not allowed by upload.hosts`;
}

function problemOfPin(url: URL, rules: SignedUrlRules): string | undefined {
  if (rules.pinnedHost === undefined || url.host === rules.pinnedHost) return undefined;
  return `the other parts of this upload go to ${rules.pinnedHost}`;
}

function problemOfQuery(url: URL): string | undefined {
  for (const [name, value] of url.searchParams) {
    if (name.toLowerCase() === 'x-amz-checksum-crc32' && value === EMPTY_BODY_CRC32) {
      return 'it contains the checksum of an empty body, so storage would refuse the upload';
    }
  }
  return undefined;
}

/**
 * Whether an entry of `upload.hosts` (`name`, `name:port`, `*.suffix`, `*.suffix:port`) names this URL's host and port.
 */
export function isNamedBy(url: { readonly hostname: string; readonly port: string }, entry: string): boolean {
  const match = /^(\*\.)?([^:]+?)\.?(?::(\d+))?$/.exec(entry.trim().toLowerCase());
  if (match === null) return false;
  const [, wildcard, name = '', port = ''] = match;
  if (url.port !== (port === '443' ? '' : port)) return false;
  return wildcard === undefined ? url.hostname === name : url.hostname.endsWith(`.${name}`);
}

function refused(reason: string, host?: string): { readonly ok: false; readonly error: Failure } {
  const hint =
    host !== undefined && reason.endsWith('upload.hosts')
      ? ` If this is your own storage, add ${host} to the allowed storage hosts (upload.hosts).`
      : '';
  const whose = host === undefined || host === '' ? '' : ` for ${host}`;
  return err({
    code: 'URL_REFUSED',
    message: `The upload URL${whose} was refused: ${reason}.`,
    advice: `Send this text to the operator of the service.${hint}`,
    retryable: false,
  });
}

/** Assumed lifetime of a signed URL that does not state one, milliseconds (service.md gap 7: 3,600 s). */
const UNKNOWN_LIFETIME_MS = 3_600_000;

/** Longest plausible lifetime, seconds: S3 signs for at most 7 days. */
const MAX_LIFETIME_SECONDS = 604_800;

const AMZ_DATE = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/;

/**
 * When a signed URL expires, milliseconds since 1970 on the service's clock (service.md gaps 7 and 27). `receivedAtMs`
 * is when it was received, on that same clock; it counts only if the URL states nothing usable.
 */
export function signedUrlExpiresAt(url: URL, receivedAtMs: number): number {
  const query = new Map([...url.searchParams].map(([name, value]) => [name.toLowerCase(), value]));
  return amazonExpiry(query) ?? plainExpiry(query.get('expires')) ?? receivedAtMs + UNKNOWN_LIFETIME_MS;
}

function amazonExpiry(query: ReadonlyMap<string, string>): number | undefined {
  const lifetimeSeconds = wholeNumber(query.get('x-amz-expires'));
  const date = AMZ_DATE.exec(query.get('x-amz-date') ?? '');
  if (lifetimeSeconds === undefined || date === null) return undefined;
  const [, year, month, day, hour, minute, second] = date;
  const signedAtMs = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  if (Number.isNaN(signedAtMs)) return undefined;
  return signedAtMs + Math.min(lifetimeSeconds, MAX_LIFETIME_SECONDS) * 1000;
}

function plainExpiry(text: string | undefined): number | undefined {
  const seconds = wholeNumber(text);
  return seconds === undefined ? undefined : seconds * 1000;
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : undefined;
}
