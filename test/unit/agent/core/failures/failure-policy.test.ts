import { describe, expect, it } from 'vitest';
import { attemptLimit } from '../../../../../electron/agent/core/failures/failure-policy.ts';
import { failureCodes } from '../../../../../shared/domain/failure.ts';

describe('attemptLimit', () => {
  it.each([
    ['FILE_CHANGED', 20],
    ['FILE_LOCKED', 20],
    ['FILE_NO_ACCESS', 6],
    ['FILE_READ', 6],
    ['BYTES_DAMAGED', 3],
    ['URL_REFUSED', 2],
    ['URL_EXPIRED', 6],
    ['API_SHAPE', 4],
    ['STORAGE_NO_UPLOAD', 6],
    ['NOT_FOUND', 5],
  ] as const)('gives a job up after %s came %i times', (code, limit) => {
    expect(attemptLimit(code)).toBe(limit);
  });

  it.each([
    'NETWORK',
    'API_TIMEOUT',
    'SERVICE_FAULT',
    'RATE_LIMITED',
    'KEY_REFUSED',
    'STORAGE_FAULT',
    'STORAGE_SLOW_DOWN',
    'ROOT_OFFLINE',
    'ROOT_HUNG',
  ] as const)('tries without end after %s, which passes by itself', (code) => {
    expect(attemptLimit(code)).toBeUndefined();
  });

  it('never gives a job up after one try', () => {
    const limits = failureCodes.map((code) => attemptLimit(code) ?? 2);
    expect(Math.min(...limits)).toBeGreaterThanOrEqual(2);
  });
});
