import {
  amzDate,
  canonicalQuery,
  credentialScope,
  encodeRfc3986,
  signatureOf,
  SIGNING_ALGORITHM,
  type SigningKey,
} from './sigv4.ts';

export interface UrlToSign {
  /** `http://host:port`. */
  readonly origin: string;
  readonly bucket: string;
  readonly key: string;
  readonly query?: readonly (readonly [string, string])[];
  readonly at: number;
  readonly lifetimeSeconds: number;
}

/** A signed URL for one PUT, path style; only the host header is signed. */
export function signUrl(target: UrlToSign, signingKey: SigningKey): string {
  const date = amzDate(target.at);
  const path = `/${[target.bucket, ...target.key.split('/')].map(encodeRfc3986).join('/')}`;
  const query: [string, string][] = [
    ...(target.query ?? []).map(([name, value]): [string, string] => [name, value]),
    ['X-Amz-Algorithm', SIGNING_ALGORITHM],
    ['X-Amz-Credential', `${signingKey.accessKeyId}/${credentialScope(date, signingKey.region)}`],
    ['X-Amz-Date', date],
    ['X-Amz-Expires', String(target.lifetimeSeconds)],
    ['X-Amz-SignedHeaders', 'host'],
  ];
  const headers: [string, string][] = [['host', new URL(target.origin).host]];
  const signature = signatureOf({ method: 'PUT', path, query, headers }, date, signingKey);
  return `${target.origin}${path}?${canonicalQuery(query)}&X-Amz-Signature=${signature}`;
}
