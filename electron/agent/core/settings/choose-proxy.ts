import type { Failure } from '../../../../shared/domain/failure.ts';
import type { ProxySettings } from '../../../../shared/domain/settings.ts';
import { err, ok, type Result } from '../../../../shared/lib/result.ts';

/** The proxy settings in the program's environment. */
export interface ProxyVariables {
  /** The variable that names the proxy, and its value, which may include a name and password. */
  readonly named?: { readonly variable: string; readonly url: string };
  /** Hosts that are reached without a proxy, separated by commas. */
  readonly noProxy?: string;
}

/** How connections leave this PC. */
export type ProxyChoice =
  | { readonly kind: 'direct' }
  | { readonly kind: 'proxy'; readonly address: ProxyAddress; readonly bypass: readonly string[] }
  /** A proxy is set but cannot be used: bypassing it unasked would be worse than waiting. */
  | { readonly kind: 'unusable'; readonly failure: Failure };

type Environment = Readonly<Record<string, string | undefined>>;

/** Everything is sent over https; a PC that sets only HTTP_PROXY means that proxy for it. */
const URL_VARIABLES = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'];
const BYPASS_VARIABLES = ['no_proxy', 'NO_PROXY'];

/** Reads the usual variables from an environment; the first non-empty one counts, lower case before upper. */
export function proxyVariables(environment: Environment): ProxyVariables {
  const firstSet = (names: readonly string[]) =>
    names.flatMap((variable) => {
      const value = environment[variable]?.trim() ?? '';
      return value === '' ? [] : [{ variable, value }];
    })[0];
  const named = firstSet(URL_VARIABLES);
  const noProxy = firstSet(BYPASS_VARIABLES);
  return {
    ...(named !== undefined && { named: { variable: named.variable, url: named.value } }),
    ...(noProxy !== undefined && { noProxy: noProxy.value }),
  };
}

/** The secrets in the environment: name and password of the proxy together, and the password. */
export function proxySecrets({ named }: ProxyVariables): readonly string[] {
  const address = named === undefined ? undefined : readProxyUrl(withScheme(named.url));
  const credentials = address?.ok === true ? address.value.credentials : undefined;
  return credentials === undefined ? [] : secretsOf(credentials);
}

/** `name:password` and the password alone. */
export function secretsOf(credentials: string): readonly string[] {
  return [credentials, credentials.slice(credentials.indexOf(':') + 1)];
}

/**
 * The proxy in the settings, or else in the environment, or else none. `NO_PROXY` counts only with the environment's
 * proxy.
 */
export function chooseProxy({ url, bypass }: ProxySettings, variables: ProxyVariables = {}): ProxyChoice {
  if (url !== undefined) return fromSettings(url, bypass);
  const { named, noProxy = '' } = variables;
  if (named === undefined) return { kind: 'direct' };
  const address = readProxyUrl(withScheme(named.url));
  if (!address.ok) return { kind: 'unusable', failure: badVariable(named.variable, address.error) };
  const entries = noProxy.split(/[\s,]+/).filter((entry) => entry !== '');
  return { kind: 'proxy', address: address.value, bypass: [...bypass, ...entries] };
}

/** What is wrong with `proxy.url` of the settings; undefined when it can be used. */
export function checkProxyUrl(url: string): Failure | undefined {
  if (isNone(url)) return undefined;
  const address = readProxyUrl(url);
  // Credentials are not allowed here even if they are valid
  if (!address.ok && address.error !== BAD_CREDENTIALS)
    return proxyFailure(`proxy.url ${address.error}.`, ADVICE_URL);
  if (address.ok && address.value.credentials === undefined) return undefined;
  return proxyFailure(
    'proxy.url contains a user name or password.',
    'Put them in a separate file as name:password (on macOS and Linux, with mode 0600), and set proxyCredentialsFile to its path.',
  );
}

function fromSettings(url: string, bypass: readonly string[]): ProxyChoice {
  if (isNone(url)) return { kind: 'direct' };
  const failure = checkProxyUrl(url);
  if (failure !== undefined) return { kind: 'unusable', failure };
  const address = readProxyUrl(url);
  // It has just been checked
  if (!address.ok) throw new Error('A checked address could not be read');
  return { kind: 'proxy', address: address.value, bypass };
}

const isNone = (url: string): boolean => url.toLowerCase() === 'none';

/** In the environment, and only there, the scheme may be missing. */
const withScheme = (url: string): string => (url.includes('://') ? url : `http://${url}`);

const BAD_CREDENTIALS =
  'contains an invalid user name or password; percent-encode special characters (% as %25)';

const ADVICE_URL = 'Use an address such as "http://proxy.example.com:3128", or "none" for no proxy.';

const proxyFailure = (message: string, advice: string): Failure => ({
  code: 'CONFIG_PROXY',
  message,
  advice,
  retryable: false,
});

const badVariable = (variable: string, problem: string): Failure =>
  proxyFailure(
    `The environment variable ${variable} ${problem}. Nothing can be sent.`,
    'Correct the variable and restart the agent, or set proxy.url in the settings, which takes precedence.',
  );

/** Address of a forward proxy. */
export interface ProxyAddress {
  readonly protocol: 'http:' | 'https:';
  /** As sockets expect it: an IPv6 address without brackets. */
  readonly hostname: string;
  readonly port: number;
  /** Name and port, for messages. */
  readonly host: string;
  /** `name:password` from the address. */
  readonly credentials?: string;
}

/** Longest address, characters. */
const LONGEST_URL = 2048;

/** White space and control characters: the URL parser would drop some of them silently. */
const NOT_IN_URL = /[\s\p{Cc}\\]/u;

/** Longest `name:password`, characters. */
const LONGEST_CREDENTIALS = 512;

/**
 * Parses the address of a proxy. The error says what is wrong without repeating the address, which may hold a password.
 */
function readProxyUrl(text: string): Result<ProxyAddress, string> {
  if (text.length > LONGEST_URL) return err(`is longer than ${LONGEST_URL} characters`);
  if (NOT_IN_URL.test(text)) return err('contains a space, a backslash or a control character');
  if (/^socks/i.test(text)) return err('names a SOCKS proxy; only http:// and https:// proxies can be used');
  if (!/^https?:\/\//i.test(text)) return err('does not begin with http:// or https://');
  if (!/^https?:\/\/[^/]/i.test(text)) return err('is missing the host name');
  const url = URL.parse(text);
  if (url === null) return err('is not a valid address');
  if (url.pathname !== '/' || /[?#]/.test(text)) return err('contains more than a scheme, host and port');
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
  return credentials === undefined ? err(BAD_CREDENTIALS) : ok({ ...address, credentials });
}

/** Whether the text can be sent as name and password by the Basic scheme. */
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
