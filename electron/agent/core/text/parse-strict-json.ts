import { err, ok, type Result } from '../../../../shared/lib/result.ts';

/** Any JSON value. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/** Why a text was refused, and where: line and column count from 1. */
export interface JsonProblem {
  readonly kind: 'syntax' | 'duplicate-key' | 'number' | 'depth';
  readonly line: number;
  readonly column: number;
  /** The key or number at that place, or what was expected there. */
  readonly what: string;
}

/** Keys that could reach into JavaScript's own objects; their values are read and dropped. */
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

const LITERALS: readonly (readonly [string, JsonValue])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
];

class JsonError extends Error {
  readonly kind: JsonProblem['kind'];
  readonly at: number;

  constructor(kind: JsonProblem['kind'], at: number, what: string) {
    super(what);
    this.kind = kind;
    this.at = at;
  }
}

/**
 * Reads JSON more strictly than `JSON.parse`: a duplicate key, a number that JavaScript would round, and nesting beyond
 * `maxDepth` are errors with their position.
 */
export function parseStrictJson(text: string, maxDepth: number): Result<JsonValue, JsonProblem> {
  const cursor = { text, at: 0, depthLeft: maxDepth };
  try {
    const value = readValue(cursor);
    skipBlanks(cursor);
    if (cursor.at < text.length) throw new JsonError('syntax', cursor.at, 'the end of the file');
    return ok(value);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return err({ kind: error.kind, ...placeOf(text, error.at), what: error.message });
  }
}

interface Cursor {
  readonly text: string;
  at: number;
  depthLeft: number;
}

function placeOf(text: string, at: number): { line: number; column: number } {
  const before = text.slice(0, at).split(/\r\n|\n|\r/);
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

function skipBlanks(cursor: Cursor): void {
  const blanks = /[ \t\n\r]*/y;
  blanks.lastIndex = cursor.at;
  cursor.at += blanks.exec(cursor.text)?.[0].length ?? 0;
}

function expect(cursor: Cursor, sign: string, what = `"${sign}"`): void {
  if (!take(cursor, sign)) throw new JsonError('syntax', cursor.at, what);
}

function take(cursor: Cursor, sign: string): boolean {
  skipBlanks(cursor);
  const found = cursor.text.startsWith(sign, cursor.at);
  if (found) cursor.at += sign.length;
  return found;
}

function readValue(cursor: Cursor): JsonValue {
  skipBlanks(cursor);
  switch (cursor.text[cursor.at]) {
    case '{':
      return nested(cursor, readObject);
    case '[':
      return nested(cursor, readArray);
    case '"':
      return readString(cursor);
    default:
      return readLiteral(cursor);
  }
}

function nested(cursor: Cursor, read: (cursor: Cursor) => JsonValue): JsonValue {
  if (cursor.depthLeft === 0) throw new JsonError('depth', cursor.at, 'nesting');
  cursor.depthLeft -= 1;
  cursor.at += 1;
  const value = read(cursor);
  cursor.depthLeft += 1;
  return value;
}

function readObject(cursor: Cursor): JsonValue {
  const entries: [string, JsonValue][] = [];
  const seen = new Set<string>();
  if (take(cursor, '}')) return {};
  do {
    skipBlanks(cursor);
    const keyAt = cursor.at;
    const key = readString(cursor);
    if (seen.has(key)) throw new JsonError('duplicate-key', keyAt, key);
    seen.add(key);
    expect(cursor, ':');
    const value = readValue(cursor);
    if (!FORBIDDEN_KEYS.has(key)) entries.push([key, value]);
  } while (take(cursor, ','));
  expect(cursor, '}', 'a comma or "}"');
  return Object.fromEntries(entries);
}

function readArray(cursor: Cursor): JsonValue {
  const items: JsonValue[] = [];
  if (take(cursor, ']')) return items;
  do items.push(readValue(cursor));
  while (take(cursor, ','));
  expect(cursor, ']', 'a comma or "]"');
  return items;
}

function readString(cursor: Cursor): string {
  const start = cursor.at;
  if (cursor.text[start] !== '"') throw new JsonError('syntax', start, 'text in double quotes');
  for (let at = start + 1; at < cursor.text.length; at += 1) {
    const code = cursor.text.charCodeAt(at);
    if (code === 0x0a || code === 0x0d) throw new JsonError('syntax', at, 'a closing double quote');
    if (code < 0x20) throw new JsonError('syntax', at, 'an escape such as \\t');
    if (code === 0x5c) at = afterEscape(cursor.text, at);
    else if (code === 0x22) {
      cursor.at = at + 1;
      return unescaped(cursor.text.slice(start, cursor.at));
    }
  }
  throw new JsonError('syntax', cursor.text.length, 'a closing double quote');
}

/** The quotes and escapes have been checked, so `JSON.parse` cannot refuse this. */
function unescaped(quoted: string): string {
  const value: unknown = JSON.parse(quoted);
  return String(value).toWellFormed();
}

function afterEscape(text: string, at: number): number {
  const escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
  escape.lastIndex = at;
  const found = escape.exec(text);
  if (found === null) throw new JsonError('syntax', at, 'an escape such as \\n');
  return at + found[0].length - 1;
}

function readLiteral(cursor: Cursor): JsonValue {
  for (const [word, value] of LITERALS) if (take(cursor, word)) return value;
  const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
  number.lastIndex = cursor.at;
  const written = number.exec(cursor.text)?.[0];
  if (written === undefined) throw new JsonError('syntax', cursor.at, 'a value');
  const value = Number(written);
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER)
    throw new JsonError('number', cursor.at, written.slice(0, 40));
  cursor.at += written.length;
  return value;
}

/** Text of a file in UTF-8, or in UTF-16 with a byte order mark; undefined when the bytes are neither. */
export function decodeText(bytes: Uint8Array): string | undefined {
  const encoding = encodingOf(bytes);
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function encodingOf(bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return 'utf-8';
}
