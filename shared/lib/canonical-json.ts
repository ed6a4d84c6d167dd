/** What JSON can hold; fields that are undefined are left out. */
export type Json =
  string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json | undefined };

/**
 * The one text of a value by RFC 8785: no white space, names in the order of their UTF-16 code units, numbers as
 * ECMAScript writes them. Half a surrogate pair, which the RFC forbids, becomes U+FFFD.
 */
export function canonicalJson(value: Json): string {
  if (typeof value === 'string') return JSON.stringify(value.toWellFormed());
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (isList(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const fields = Object.keys(value)
    .toSorted(byCodeUnits)
    .flatMap((name) => {
      const field = value[name];
      return field === undefined ? [] : [`${canonicalJson(name)}:${canonicalJson(field)}`];
    });
  return `{${fields.join(',')}}`;
}

const isList = (value: object): value is readonly Json[] => Array.isArray(value);

const byCodeUnits = (one: string, other: string): number => (one < other ? -1 : 1);
