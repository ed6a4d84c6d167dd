import { describe, expect, it } from 'vitest';
import { firstClip, iso, probes } from '../../../../helpers/export-evidence.ts';

describe('the date in an AVI', () => {
  const of = (clockText: string, path = 'clip.avi') =>
    firstClip('Gate 4', [path], probes({ [path]: { clockText, durationMs: 10_000 } }));

  it('is a start by the clock of the place', () => {
    expect(iso(of('2026-05-01T18:30:05').startedAt)).toBe('2026-05-01T17:30:05.000Z');
    expect(of('2026-05-01T18:30:05').startedAt).toMatchObject({ source: 'media', confidence: 'medium' });
  });

  it.each([
    ['a zero of some epoch', '1601-01-01T00:00:00'],
    ['the future', '2031-01-01T00:00:00'],
    ['no day', '2026-02-30T10:00:00'],
    ['the moment of the export', '2026-05-01T20:40:10'],
  ])('is not taken where it is %s', (_what, text) => {
    expect(of(text).startedAt).toBeUndefined();
  });

  it('never wins over the name', () => {
    expect(of('2026-05-01T18:00:00', 'Gate_2026_05_01_19_30_05.avi').startedAt?.source).toBe('file-name');
  });
});
