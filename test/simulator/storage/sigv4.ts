import { createHash, createHmac } from 'node:crypto';

/** The signer's key and its region. */
export interface SigningKey {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region: string;
}

/** The parts of a request that a signature covers. */
export interface CanonicalParts {
  readonly method: string;
  /** As in the request line, percent-encoded. */
  readonly path: string;
  readonly query: readonly (readonly [string, string])[];
  /** Signed headers in order, with lower-case names. */
  readonly headers: readonly (readonly [string, string])[];
}

export const SIGNING_ALGORITHM = 'AWS4-HMAC-SHA256';

/** Percent-encoding as signatures require it (RFC 3986). */
export function encodeRfc3986(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** `20260802T101112Z`. */
export function amzDate(at: number): string {
  return new Date(at).toISOString().replace(/[-:]|\.\d{3}/g, '');
}

export function credentialScope(date: string, region: string): string {
  return `${date.slice(0, 8)}/${region}/s3/aws4_request`;
}

/** Query parameters sorted and encoded, without the signature itself. */
export function canonicalQuery(query: CanonicalParts['query']): string {
  return query
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encodeRfc3986(name)}=${encodeRfc3986(value)}`)
    .toSorted()
    .join('&');
}

/** The signature of a request with an unsigned payload, as a presigned URL carries it. */
export function signatureOf(parts: CanonicalParts, date: string, key: SigningKey): string {
  const names = parts.headers.map(([name]) => name).join(';');
  const headers = parts.headers.map(([name, value]) => `${name}:${value.trim()}\n`).join('');
  const canonical = [
    parts.method,
    parts.path,
    canonicalQuery(parts.query),
    headers,
    names,
    'UNSIGNED-PAYLOAD',
  ].join('\n');
  const digest = createHash('sha256').update(canonical).digest('hex');
  const text = [SIGNING_ALGORITHM, date, credentialScope(date, key.region), digest].join('\n');
  return createHmac('sha256', derivedKey(key, date)).update(text).digest('hex');
}

function derivedKey(key: SigningKey, date: string): Buffer {
  let derived: Buffer = Buffer.from(`AWS4${key.secretAccessKey}`);
  for (const step of [date.slice(0, 8), key.region, 's3', 'aws4_request']) {
    derived = createHmac('sha256', derived).update(step).digest();
  }
  return derived;
}
