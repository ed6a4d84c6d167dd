import { err, ok, type Result } from '../../../../shared/lib/result.ts';

/** Where a forward proxy is. */
export interface ProxyAddress {
  readonly protocol: 'http:' | 'https:';
  /** As sockets take it: an IPv6 address without brackets. */
  readonly hostname: string;
  readonly port: number;
  /** Name and port, for messages. */
  readonly host: string;
  /** `name:password` that stood in the address. */
  readonly credentials?: string;
}

/** Longest address, characters. */
const LONGEST_URL = 2048;
/** White space and control characters: the URL parser would drop some of them silently. */
const NOT_IN_URL = /[\s\p{Cc}\\]/u;
/** Longest `name:password`, characters. */
const LONGEST_CREDENTIALS = 512;

/** An address of a proxy as it is written; the error says what is wrong, without repeating it: it may hold a password. */
export function readProxyUrl(text: string): Result<ProxyAddress, string> {
  if (text.length > LONGEST_URL) return err(`is longer than ${LONGEST_URL} characters`);
  if (NOT_IN_URL.test(text)) return err('contains a space, a backslash or a control character');
  if (/^socks/i.test(text)) return err('names a SOCKS proxy; only http:// and https:// ones can be used');
  if (!/^https?:\/\/[^/]/i.test(text)) return err('does not begin with http:// or https://');
  const url = URL.parse(text);
  if (url === null) return err('is not an address');
  if (url.pathname !== '/' || /[?#]/.test(text)) return err('contains more than scheme, host and port');
  const protocol = url.protocol === 'https:' ? 'https:' : 'http:';
  const port = url.port === '' ? (protocol === 'https:' ? 443 : 80) : Number(url.port);
  const address = {
    protocol,
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port,
    host: `${url.hostname}:${port}`,
  } as const;
  if (url.username === '' && url.password === '') return ok(address);
  const credentials = decodeCredentials(url);
  return credentials === undefined
    ? err('contains a name or password that is not written as an address wants it (% as %25)')
    : ok({ ...address, credentials });
}

/** What can be sent as name and password by the Basic scheme. */
export function areCredentials(text: string): boolean {
  return text.length <= LONGEST_CREDENTIALS && /^[^:]+:/.test(text) && !/\p{Cc}/u.test(text);
}

function decodeCredentials({ username, password }: URL): string | undefined {
  try {
    const name = decodeURIComponent(username);
    const credentials = `${name}:${decodeURIComponent(password)}`;
    return !name.includes(':') && areCredentials(credentials) ? credentials : undefined;
  } catch {
    return undefined;
  }
}
