import type { RequestId } from '../../../../shared/domain/failure.ts';

/** What to remove from logs, besides what is recognised by its form. */
export interface RedactRules {
  /** Secrets in every form in which they could appear: see `secretForms`. */
  readonly secrets: readonly string[];
  /** Home folder of the account; written as `~`. */
  readonly homeDir?: string;
}

/** Replaces text that was removed. */
export const REMOVED = '[removed]';

/** Longest text that is searched, characters. Longer text is cut, so that a hostile answer costs no time. */
const LONGEST_SEARCHED = 64 * 1024;

/** Longest form of one secret, characters: 512 characters, percent-encoded twice. */
const LONGEST_SECRET_FORM = 512 * 5;

/** Longest text that is kept, characters. */
const LONGEST_TEXT = 2000;

const URL_QUERY = /(\b[a-z][a-z0-9+.-]{1,15}:\/\/[^\s?#"'<>\\]{0,2048})[?#][^\s"'<>\\]*/gi;

const URL_USER = /(\b[a-z][a-z0-9+.-]{1,15}:\/\/)[^\s/?#"'<>\\@]{1,512}@/gi;

/** Parameters of signed URLs, anywhere in a text, percent-encoded or not. */
const SIGNED_PARAMETER =
  /(?:\b|(?<=%3F|%26))(X-(?:Amz|Goog)-[A-Za-z-]{1,32}|Signature|AWSAccessKeyId|Key-Pair-Id|access_token|api_?key|sig|temp_url_sig)(=|%3D)[^\s&"'<>\\,;]+/gi;

const HEADER_TEXT =
  /\b((?:proxy-)?authorization|x-api-key|set-cookie|cookie)(\\?["']?\s{0,4}[:=]\s{0,4}\\?["']?)[^"'\r\n\\,}\]]+/gi;

const CREDENTIAL_TEXT = /\b(Bearer|Basic)\s{1,4}[A-Za-z0-9._~+/=-]{6,}/gi;

/** The text without secrets, queries of URLs and credentials in headers, and with `~` for the home folder. */
export function redactText(text: string, rules: RedactRules): string {
  let clean = removeSecrets(text.slice(0, LONGEST_SEARCHED), rules.secrets);
  // The cut may leave half a secret, which none of its forms matches
  if (text.length > LONGEST_SEARCHED) clean = clean.slice(0, -LONGEST_SECRET_FORM);
  clean = clean.replaceAll(HEADER_TEXT, `$1$2${REMOVED}`).replaceAll(CREDENTIAL_TEXT, `$1 ${REMOVED}`);
  clean = replaceHome(clean, rules.homeDir);
  return clean.length > LONGEST_TEXT ? `${clean.slice(0, LONGEST_TEXT)}... (cut)` : clean;
}

/** The text without the given secrets and without queries of URLs; nothing else is changed, JSON stays JSON. */
export function removeSecrets(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of secrets) clean = clean.replaceAll(secret, REMOVED);
  // Most lines have neither, and searching every word for either takes ten times as long
  if (clean.includes('://')) clean = clean.replaceAll(URL_USER, '$1').replaceAll(URL_QUERY, `$1?${REMOVED}`);
  const hasParameter = clean.includes('=') || clean.includes('%3');
  return hasParameter ? clean.replaceAll(SIGNED_PARAMETER, `$1$2${REMOVED}`) : clean;
}

function replaceHome(text: string, homeDir: string | undefined): string {
  if (homeDir === undefined || homeDir.length < 3) return text;
  return text
    .split(homeDir)
    .reduce((before, after) => `${before}${/^[\w.-]/.test(after) ? homeDir : '~'}${after}`);
}

/** Plain data that can be written as JSON. */
export type Plain = string | number | boolean | null | readonly Plain[] | { readonly [key: string]: Plain };

/** Deepest nesting that is logged; anything deeper is only named. */
const DEEPEST = 6;
/** Most entries of one list or object that are logged. */
const MOST_ENTRIES = 50;
/** Most values of one log line, so that a wide tree cannot flood the log. */
const MOST_VALUES = 400;
/** Lines of a stack that are kept. */
const STACK_LINES = 8;

const SECRET_NAME =
  /^(?:proxy-?authorization|authorization|cookies?|set-?cookie|x-?api-?key|api-?key|key|password|passwd|temp_?password|secret|client_?secret|token|access_?token|signature|query|search|searchParams)$/i;

interface Walk {
  readonly rules: RedactRules;
  readonly above: readonly object[];
  readonly budget: { values: number };
}

/** Any value as plain data without secrets, limited in size and depth; anything unreadable is named. Never throws. */
export function redactValue(value: unknown, rules: RedactRules): Plain {
  return walk(value, { rules, above: [], budget: { values: MOST_VALUES } });
}

function walk(value: unknown, at: Walk): Plain {
  at.budget.values -= 1;
  if (at.budget.values < 0) return '[more]';
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'string') return redactText(value, at.rules);
  if (typeof value === 'object') return walkGuarded(value, at);
  if (typeof value === 'bigint') return String(value);
  return redactText(typeof value === 'symbol' ? value.toString() : `[${typeof value}]`, at.rules);
}

function walkGuarded(value: object, at: Walk): Plain {
  try {
    return walkObject(value, at);
  } catch {
    // A getter or proxy threw: logging must not fail because of its input
    return '[unreadable]';
  }
}

function walkObject(value: object, at: Walk): Plain {
  if (at.above.includes(value)) return '[circular]';
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '[no date]' : value.toISOString();
  if (value instanceof URL) return redactText(value.href, at.rules);
  if (value instanceof URLSearchParams) return REMOVED;
  if (at.above.length >= DEEPEST) return Array.isArray(value) ? '[list]' : '[object]';
  const inside = { ...at, above: [...at.above, value] };
  if (value instanceof Error) return walkError(value, inside);
  if (value instanceof Map || isHeaders(value)) return walkEntries([...value.entries()], inside);
  if (value instanceof Set) return walkList([...value], inside);
  if (Array.isArray(value)) return walkList(value, inside);
  return walkEntries(Object.entries(value), inside);
}

const isHeaders = (value: object): value is Headers | FormData =>
  value instanceof Headers || value instanceof FormData;

function walkList(list: readonly unknown[], at: Walk): Plain {
  const kept = list.slice(0, MOST_ENTRIES);
  // Raw headers are one flat list: each value follows its name
  const plain = kept.map((entry, index) => (isSecretName(kept[index - 1]) ? REMOVED : walk(entry, at)));
  return list.length > kept.length ? [...plain, `[${list.length - kept.length} more]`] : plain;
}

const isSecretName = (name: unknown): boolean => typeof name === 'string' && SECRET_NAME.test(name);

function walkEntries(entries: readonly (readonly [unknown, unknown])[], at: Walk): Plain {
  const set = entries.filter(([, entry]) => entry !== undefined);
  const plain: [string, Plain][] = set
    .slice(0, MOST_ENTRIES)
    .map(([key, entry]) => [
      redactText(String(key), at.rules),
      isSecretName(key) && entry !== null ? REMOVED : walk(entry, at),
    ]);
  if (set.length > MOST_ENTRIES) plain.push(['...', `[${set.length - MOST_ENTRIES} more]`]);
  return Object.fromEntries(plain);
}

/**
 * The only properties of an error that are logged: got attaches its options, with the key, and whole requests to its
 * errors.
 */
const ERROR_PARTS = ['code', 'syscall', 'errno', 'failure', 'cause', 'errors'] as const;

function walkError(error: Error, at: Walk): Plain {
  const parts: [string, unknown][] = [
    ['name', error.name],
    ['message', error.message],
  ];
  for (const name of ERROR_PARTS) {
    const part: unknown = Reflect.get(error, name);
    if (part !== undefined) parts.push([name, part]);
  }
  if (typeof error.stack === 'string') parts.push(['stack', framesOf(error.stack)]);
  return walkEntries(parts, at);
}

const framesOf = (stack: string): string =>
  stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, STACK_LINES)
    .map((line) => line.trim())
    .join(' | ');

/** Shortest secret that is searched for, characters: shorter ones would remove ordinary words from the log. */
const SHORTEST_SECRET = 6;

const BASE64_GROUP_BYTES = 3;

/**
 * Every form in which a secret could reach a log: as is, in JSON, in a URL, in hexadecimal, in base64 at any offset.
 */
export function secretForms(secret: string): readonly string[] {
  if (secret.length < SHORTEST_SECRET) return [];
  const bytes = new TextEncoder().encode(secret);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const percent = encodeURIComponent(secret);
  const forms = [
    secret,
    JSON.stringify(secret).slice(1, -1),
    percent,
    percent.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    percent.replaceAll('%20', '+'),
    encodeURIComponent(percent),
    hex,
    hex.toUpperCase(),
    ...base64Forms(bytes),
  ];
  // Longer forms first, so that none is removed only in part
  return [...new Set(forms)].toSorted((left, right) => right.length - left.length);
}

/**
 * Base64 depends on the bytes before: a form for each of three offsets, without the characters that neighbours affect.
 */
function base64Forms(bytes: Uint8Array): readonly string[] {
  return [0, 1, 2].flatMap((offset) => {
    const shifted = new Uint8Array(offset + bytes.length);
    shifted.set(bytes, offset);
    const encoded = btoa(String.fromCharCode(...shifted));
    const first = offset === 0 ? 0 : offset + 1;
    const sharedBytes = shifted.length % BASE64_GROUP_BYTES;
    const last = sharedBytes === 0 ? encoded.length : encoded.length - 4 + sharedBytes;
    const inner = encoded.slice(first, last);
    return [inner, inner.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/** The field that carries request ids, left out when there are none. */
export function withIds(ids: readonly RequestId[] | undefined): {
  readonly requestIds?: readonly RequestId[];
} {
  return ids === undefined || ids.length === 0 ? {} : { requestIds: ids };
}
