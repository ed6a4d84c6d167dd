import { describe, expect, it } from 'vitest';
import { compareNames, resolveDoubledHours } from '../../../../../electron/agent/core/times/doubled-hours.ts';

describe('resolveDoubledHours', () => {
  it.each([
    ['one doubled start is the earlier', [{ ms: 10, laterMs: 70 }], [10]],
    ['a start behind its predecessor is the later', [{ ms: 50 }, { ms: 10, laterMs: 70 }], [50, 70]],
    [
      'once past the change, the following are later too',
      [
        { ms: 40, laterMs: 100 },
        { ms: 10, laterMs: 70 },
        { ms: 20, laterMs: 80 },
      ],
      [40, 70, 80],
    ],
    [
      'in rising order all are the earlier',
      [
        { ms: 10, laterMs: 70 },
        { ms: 40, laterMs: 100 },
      ],
      [10, 40],
    ],
    ['a later one that does not help is not taken', [{ ms: 200 }, { ms: 10, laterMs: 70 }], [200, 10]],
    ['a clear start out of order stays', [{ ms: 200 }, { ms: 10 }], [200, 10]],
    [
      'the same start twice is the earlier twice',
      [
        { ms: 10, laterMs: 70 },
        { ms: 10, laterMs: 70 },
      ],
      [10, 10],
    ],
    ['nothing gives nothing', [], []],
  ])('%s', (_sentence, starts, expected) => {
    expect(resolveDoubledHours(starts)).toEqual(expected);
  });
});

describe('compareNames', () => {
  it('counts as people do', () => {
    const names = ['clip 10.mp4', 'clip 9.mp4', 'clip 009.mp4', 'Clip 1.mp4', 'clip.mp4', 'clip 9', ''];
    expect(names.toSorted(compareNames)).toEqual([
      '',
      'Clip 1.mp4',
      'clip 9',
      'clip 009.mp4',
      'clip 9.mp4',
      'clip 10.mp4',
      'clip.mp4',
    ]);
  });

  it('tells any two different names apart', () => {
    expect(compareNames('a1', 'a01')).not.toBe(0);
    expect(compareNames('a1', 'a1')).toBe(0);
  });
});
