import { describe, expect, it } from 'vitest';
import { signedUrlExpiresAt } from '../../../../../electron/agent/core/parts/url-expiry.ts';

const receivedAtMs = Date.parse('2026-08-01T12:00:00Z');
const at = (iso: string): number => Date.parse(iso);

describe('signedUrlExpiresAt', () => {
  it.each([
    ['date and lifetime', 'X-Amz-Date=20260801T110000Z&X-Amz-Expires=7200', at('2026-08-01T13:00:00Z')],
    [
      'the same in small letters',
      'x-amz-date=20260801T110000Z&x-amz-expires=900',
      at('2026-08-01T11:15:00Z'),
    ],
    ['one that is over already', 'X-Amz-Date=20250101T000000Z&X-Amz-Expires=60', at('2025-01-01T00:01:00Z')],
    ['a lifetime of zero', 'X-Amz-Date=20260801T110000Z&X-Amz-Expires=0', at('2026-08-01T11:00:00Z')],
    ['Expires in seconds', 'Expires=1785589200&Signature=x', 1_785_589_200_000],
    ['nothing', 'Signature=x', at('2026-08-01T13:00:00Z')],
    ['a lifetime without a date', 'X-Amz-Expires=60', at('2026-08-01T13:00:00Z')],
    ['a date that is none', 'X-Amz-Date=20261399T990000Z&X-Amz-Expires=60', at('2026-08-01T13:00:00Z')],
    [
      'a lifetime that is no number',
      'X-Amz-Date=20260801T110000Z&X-Amz-Expires=1e9',
      at('2026-08-01T13:00:00Z'),
    ],
    ['a negative lifetime', 'X-Amz-Date=20260801T110000Z&X-Amz-Expires=-5', at('2026-08-01T13:00:00Z')],
    ['over seven days', 'X-Amz-Date=20260801T110000Z&X-Amz-Expires=99999999', at('2026-08-08T11:00:00Z')],
    ['Expires as a date', 'Expires=tomorrow', at('2026-08-01T13:00:00Z')],
  ])('reads %s', (_name, query, expected) => {
    expect(signedUrlExpiresAt(new URL(`https://h.example/k?${query}`), receivedAtMs)).toBe(expected);
  });
});
