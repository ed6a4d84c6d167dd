import type { IncomingHttpHeaders } from 'node:http';
import type { KeyPlacement } from '../settings.ts';

const REDACTED = 'redacted';
const secretQuery = new Set(['x-amz-signature', 'x-amz-credential', 'x-amz-security-token']);

/** Query parameters for the log: signatures, credentials and a key sent as a parameter are blotted out. */
export function redactQuery(url: URL, placement: KeyPlacement): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [name, value] of url.searchParams) {
    const isKey = placement.scheme === 'query' && placement.name === name;
    fields[name] = isKey || secretQuery.has(name.toLowerCase()) ? REDACTED : value;
  }
  return fields;
}

/** Headers for the log: the key is blotted out; of `authorization` the scheme is kept. */
export function redactHeaders(headers: IncomingHttpHeaders, placement: KeyPlacement): Record<string, string> {
  const keyName = placement.scheme === 'header' ? placement.name.toLowerCase() : undefined;
  const fields: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue;
    const text = Array.isArray(value) ? value.join(', ') : value;
    if (name === 'authorization') fields[name] = `${text.split(' ')[0] ?? ''} ${REDACTED}`;
    else fields[name] = name === keyName ? REDACTED : text;
  }
  return fields;
}
