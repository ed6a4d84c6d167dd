import { describe, expect, it } from 'vitest';
import { formatSpan } from '../../../../../renderer/features/periods/time-line.tsx';

const nowMs = Date.parse('2026-11-21T12:00:00.000Z');
const span = (startAt?: string, endAt?: string, language = 'en-GB'): string =>
  formatSpan(
    {
      id: 1,
      markers: [],
      ...(startAt !== undefined && { startAt }),
      ...(endAt !== undefined && { endAt }),
    },
    nowMs,
    'utc',
    language,
  );

describe('when a period is, in a line', () => {
  it.each([
    ['2026-11-21T10:15:00.000Z', '2026-11-21T15:15:00.000Z', '21 Nov 10:15 – 15:15 UTC'],
    ['2026-11-21T20:00:00.000Z', '2026-11-22T04:00:00.000Z', '21 Nov 20:00 – 22 Nov 04:00 UTC'],
    ['2027-01-13T13:00:00.000Z', '2027-01-13T18:00:00.000Z', '13 Jan 2027 13:00 – 18:00 UTC'],
    ['2026-11-21T10:15:00.000Z', undefined, '21 Nov 10:15 – UTC'],
    [undefined, '2026-11-21T10:15:00.000Z', '– 21 Nov 10:15 UTC'],
    ['soon\u202e', undefined, 'soon<U+202E> –'],
    [undefined, undefined, ''],
  ])('from %s to %s', (startAt, endAt, text) => {
    expect(span(startAt, endAt)).toBe(text);
  });
});
