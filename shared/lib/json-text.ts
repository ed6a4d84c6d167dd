/** What JSON can hold; fields that are undefined are left out. */
export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [name: string]: Json | undefined };

/**
 * The canonical text of a value by RFC 8785: no white space, names in the order of their UTF-16 code units, numbers as
 * ECMAScript writes them. A lone surrogate, which the RFC forbids, becomes U+FFFD.
 */
export function canonicalJson(value: Json): string {
  if (typeof value === 'string') return JSON.stringify(value.toWellFormed());
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (isJsonList(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const fields = Object.keys(value)
    .toSorted(byCodeUnits)
    .flatMap((name) => {
      const field = value[name];
      return field === undefined ? [] : [`${canonicalJson(name)}:${canonicalJson(field)}`];
    });
  return `{${fields.join(',')}}`;
}

const isJsonList = (value: object): value is readonly Json[] => Array.isArray(value);

const byCodeUnits = (one: string, other: string): number => (one < other ? -1 : 1);

/** As a key it reaches into JavaScript's own objects, so a value under it is not data. */
const FORBIDDEN_NAME = '__proto__';

/** A JSON value in one line for people: texts as they are, lists with commas, objects as `name: value`. */
export function readableText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'object' || value === null) return '';
  const parts = isList(value) ? value.map(readableText) : namedEntries(value).map(readableEntry);
  return parts.filter((part) => part !== '').join(', ');
}

/** A JSON value of any shape as lines for people: one per named value, one per entry of a list. */
export function readableLines(value: unknown): readonly string[] {
  if (value === null || typeof value !== 'object') return linesOf(readableText(value));
  if (isList(value)) return value.flatMap((each) => (isList(each) ? readableLines(each) : entryLines(each)));
  return namedEntries(value).flatMap(([name, inner]) =>
    isNested(inner) ? readableLines(inner).map((line) => `${name}: ${line}`) : [readableEntry([name, inner])],
  );
}

/** The properties of a JSON object in their order, without the one that is not data. */
export function namedEntries(value: object): readonly (readonly [name: string, value: unknown])[] {
  const entries: readonly (readonly [string, unknown])[] = Object.entries(value);
  return entries.filter(([name]) => name !== FORBIDDEN_NAME);
}

/** Whether a JSON value is a list. */
export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

const linesOf = (text: string): readonly string[] => text.split(/\r?\n/).filter((line) => line.trim() !== '');

const entryLines = (entry: unknown): readonly string[] => linesOf(readableText(entry));

const isNested = (value: unknown): boolean => typeof value === 'object' && value !== null && !isList(value);

function readableEntry([name, value]: readonly [name: string, value: unknown]): string {
  const text = isNested(value) ? `(${readableText(value)})` : readableText(value);
  return text === '' ? name : `${name}: ${text}`;
}
