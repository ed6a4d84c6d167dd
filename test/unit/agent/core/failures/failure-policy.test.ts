import { describe, expect, it } from 'vitest';
import {
  attemptLimit,
  isFileWaitedFor,
  longestWaitMs,
  parseRetryAfter,
  retryDelayMs,
} from '../../../../../electron/agent/core/failures/failure-policy.ts';
import { failureCodes } from '../../../../../shared/domain/failure.ts';

describe('attemptLimit', () => {
  it.each([
    ['FILE_CHANGED', 20],
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
    'FILE_READ',
    'FILE_NO_ACCESS',
    'FILE_LOCKED',
    'HANDLES_USED_UP',
    'ROOT_OFFLINE',
    'ROOT_HUNG',
    'ROOT_MISSING',
    'ROOT_NOT_FOLDER',
    'ROOT_LINK',
    'ROOT_FORBIDDEN',
  ] as const)('never gives a job up for %s, and tries it again within a minute', (code) => {
    expect(isFileWaitedFor(code)).toBe(true);
    expect(attemptLimit(code)).toBeUndefined();
    expect(retryDelayMs(30, 0.999_999, longestWaitMs(code))).toBe(60_000);
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

const DAY_MS = 86_400_000;

const nowMs = Date.parse('2026-08-01T12:00:00Z');

describe('retryDelayMs', () => {
  it.each([
    [1, 0, 1_000],
    [1, 0.5, 1_500],
    [2, 0.5, 2_500],
    [5, 0, 1_000],
    [5, 0.999, 31_969],
    [10, 0.5, 450_500],
    [1_000_000, 0.5, 450_500],
    [0, 0.5, 1_500],
  ])('after failure %i with %f drawn, waits %i ms', (failures, random, expected) => {
    expect(retryDelayMs(failures, random)).toBe(expected);
  });
});

describe('parseRetryAfter', () => {
  it.each([
    ['0', 0],
    ['30', 30_000],
    [' 30 ', 30_000],
    ['1000000000', DAY_MS],
    ['99999999999999999999999', DAY_MS],
    ['Sat, 01 Aug 2026 12:00:30 GMT', 30_000],
    ['Saturday, 01-Aug-26 12:00:30 GMT', 30_000],
    ['Sat Aug  1 12:00:30 2026', 30_000],
    ['Sat, 01 Aug 2026 11:00:00 GMT', 0],
    ['Sat, 01 Aug 2126 11:00:00 GMT', DAY_MS],
    ['-5', undefined],
    ['1e9', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    ['', undefined],
    ['2026-08-01', undefined],
    ['Sat, 99 Aug 2026 12:00:30 GMT', undefined],
    [undefined, undefined],
  ])('fault 51, input D16: reads %s as %s', (text, expected) => {
    expect(parseRetryAfter(text, nowMs)).toBe(expected);
  });
});
