import { PutObjectCommand, S3Client, UploadPartCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { describe, expect, it } from 'vitest';
import { signUrl } from '../../../simulator/storage/sign-url.ts';
import { verifyUrl } from '../../../simulator/storage/verify-url.ts';

const signingKey = { accessKeyId: 'AKEXAMPLE', secretAccessKey: 'secret/example', region: 'eu-west-2' };
const at = Date.parse('2026-08-02T10:11:12.000Z');
const origin = 'http://127.0.0.1:9000';
const key = 'vms/incident 1/clip (north)!.mp4';
const client = new S3Client({
  endpoint: origin,
  region: signingKey.region,
  credentials: signingKey,
  forcePathStyle: true,
  requestChecksumCalculation: 'WHEN_REQUIRED',
});
const part = { Bucket: 'clips', Key: key, UploadId: 'up-1', PartNumber: 3 };

function asked(url: string, headers: Record<string, string> = {}) {
  const { pathname, searchParams, host } = new URL(url);
  return { method: 'PUT', path: pathname, query: searchParams, headers: { host, ...headers } };
}

describe('signed URLs of the embedded storage', () => {
  const terms = { expiresIn: 900, signingDate: new Date(at) };
  it.each([
    ['one piece', () => getSignedUrl(client, new PutObjectCommand({ Bucket: 'clips', Key: key }), terms)],
    ['a part', () => getSignedUrl(client, new UploadPartCommand(part), terms)],
  ])('accepts what the AWS SDK signed for %s', async (_what, sign) => {
    expect(verifyUrl(asked(await sign()), at + 899_000, signingKey)).toBeUndefined();
  });

  const signed = signUrl(
    {
      origin,
      bucket: 'clips',
      key,
      query: [
        ['partNumber', '3'],
        ['uploadId', 'up-1'],
      ],
      at,
      lifetimeSeconds: 900,
    },
    signingKey,
  );

  it.each([
    ['the last moment', signed, at + 899_999, undefined],
    ['the moment of expiry', signed, at + 900_000, 'AccessDenied: Request has expired'],
    ['a clock 16 minutes behind', signed, at - 16 * 60_000, 'AccessDenied: Request is not yet valid'],
    ['another path', signed.replace('clips/', 'clops/'), at, 'SignatureDoesNotMatch'],
    ['another part', signed.replace('partNumber=3', 'partNumber=4'), at, 'SignatureDoesNotMatch'],
    ['a parameter more', `${signed}&x-id=PutObject`, at, 'SignatureDoesNotMatch'],
    ['a longer life', signed.replace('Expires=900', 'Expires=901'), at, 'SignatureDoesNotMatch'],
    ['a later date', signed.replace('T101112Z', 'T101113Z'), at, 'SignatureDoesNotMatch'],
    ['another region', signed.replace('eu-west-2', 'us-east-1'), at, 'SignatureDoesNotMatch'],
    ['another host', signed.replace('127.0.0.1', 'localhost'), at, 'SignatureDoesNotMatch'],
    ['another owner', signed.replace('AKEXAMPLE', 'AKSTRANGER'), at, 'InvalidAccessKeyId'],
    ['a cut signature', signed.slice(0, -1), at, 'SignatureDoesNotMatch'],
    ['no signature', signed.replace(/&X-Amz-Signature=\w+/, ''), at, 'AuthorizationQueryParametersError'],
    ['no query', signed.split('?')[0] ?? '', at, 'AccessDenied: Access Denied'],
    [
      'a life of eight days',
      signed.replace('Expires=900', 'Expires=691200'),
      at,
      'AuthorizationQueryParametersError',
    ],
  ])('judges %s', (_what, url, now, expected) => {
    const failure = verifyUrl(asked(url), now, signingKey);
    if (expected === undefined) expect(failure).toBeUndefined();
    else expect(`${failure?.code}: ${failure?.message}`).toContain(expected);
  });

  it('refuses an x-amz header that was not signed', () => {
    const failure = verifyUrl(asked(signed, { 'x-amz-acl': 'public-read' }), at, signingKey);
    expect(failure).toMatchObject({ status: 403, code: 'AccessDenied' });
  });
});
