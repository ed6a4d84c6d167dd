import type { IncomingHttpHeaders } from 'node:http';
import type { KeyPlacement } from '../settings.ts';

const REDACTED = 'redacted';
const secretQuery = new Set(['x-amz-signature', 'x-amz-credential', 'x-amz-security-token']);

/** Query parameters for the log: signatures, credentials and a key sent as a parameter are redacted. */
export function redactQuery(url: URL, placement: KeyPlacement): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [name, value] of url.searchParams) {
    fields[name] = isSecret(name, placement) ? REDACTED : value;
  }
  return fields;
}

/** The query as it was sent, with the same parameters redacted. */
export function redactSearch(address: string, placement: KeyPlacement): string {
  const start = address.indexOf('?');
  if (start < 0) return '';
  const parameters = address.slice(start + 1).split('&');
  return parameters.map((parameter) => redactParameter(parameter, placement)).join('&');
}

function redactParameter(parameter: string, placement: KeyPlacement): string {
  const [name] = new URLSearchParams(parameter).keys();
  return name !== undefined && isSecret(name, placement)
    ? `${parameter.split('=')[0] ?? ''}=${REDACTED}`
    : parameter;
}

function isSecret(name: string, placement: KeyPlacement): boolean {
  const isKey = placement.scheme === 'query' && placement.name === name;
  return isKey || secretQuery.has(name.toLowerCase());
}

/** Headers for the log: the key is redacted; `authorization` keeps its scheme. */
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
