import { REMOVED, redactText, type RedactRules } from './redact-text.ts';

/** Plain data that can be written as JSON. */
export type Plain = string | number | boolean | null | readonly Plain[] | { readonly [key: string]: Plain };

/** Deepest nesting that is logged; what lies deeper is named only. */
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

/** Any value as plain data without secrets: size and depth are limited, what cannot be read is named. Never throws. */
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
    // A getter or a proxy threw: the log must not fail because of what it was given.
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
  // Raw headers are one flat list: the value stands behind its name
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

/** Only these parts of an error: got hangs its options, with the key, and whole requests on its errors. */
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
