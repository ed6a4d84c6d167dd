import { describe, expect, it } from 'vitest';
import {
  isSameInPlace,
  lookIntervalMs,
  observe,
  type Look,
  type Observation,
} from '../../../../../electron/agent/core/settle/settle-rule.ts';

const WALL_MS = Date.UTC(2026, 0, 15);
const PAST_NS = String(BigInt(WALL_MS - 3_600_000) * 1_000_000n);
const FUTURE_NS = String(BigInt(WALL_MS + 86_400_000) * 1_000_000n);

/** Looks as `[atMs, sizeBytes, mtimeNs?, inode?]`; returns the states in order. */
function statesOf(settleSeconds: number, looks: readonly [number, number, string?, string?][]): string {
  let observation: Observation | undefined;
  const states = looks.map(([atMs, sizeBytes, mtimeNs = PAST_NS, inode = '7']) => {
    const look: Look = { sizeBytes, mtimeNs, inode, atMs, wallMs: WALL_MS + atMs };
    const settling = observe(observation, look, { settleSeconds });
    observation = settling.observation;
    return settling.state === 'quiet' ? 'Q' : 'c';
  });
  return states.join('');
}

describe('settle rule', () => {
  it.each<[string, number, readonly [number, number, string?, string?][], string]>([
    [
      'is quiet after the settling time over enough looks',
      10,
      [
        [0, 5],
        [4000, 5],
        [8000, 5],
        [12_000, 5],
      ],
      'cccQ',
    ],
    [
      'is not quiet one millisecond early',
      10,
      [
        [0, 5],
        [5000, 5],
        [9999, 5],
        [10_000, 5],
      ],
      'cccQ',
    ],
    [
      'is not quiet after two looks, however far apart',
      10,
      [
        [0, 5],
        [20_000, 5],
        [22_000, 5],
      ],
      'ccQ',
    ],
    [
      'does not count looks that follow at once',
      10,
      [
        [0, 5],
        [12_000, 5],
        [12_010, 5],
        [12_020, 5],
        [14_000, 5],
      ],
      'ccccQ',
    ],
    [
      'starts over when the size grows',
      10,
      [
        [0, 5],
        [5000, 5],
        [9000, 6],
        [14_000, 6],
        [19_000, 6],
      ],
      'ccccQ',
    ],
    [
      'starts over when the size shrinks',
      1,
      [
        [0, 5],
        [500, 4],
        [1000, 4],
        [1500, 4],
      ],
      'cccQ',
    ],
    [
      'starts over when only the time changes',
      1,
      [
        [0, 5],
        [500, 5, '1'],
        [1000, 5, '1'],
        [1500, 5, '1'],
      ],
      'cccQ',
    ],
    [
      'starts over when the file was replaced',
      1,
      [
        [0, 5],
        [500, 5, PAST_NS, '8'],
        [1000, 5, PAST_NS, '8'],
        [1500, 5, PAST_NS, '8'],
      ],
      'cccQ',
    ],
    [
      'sees a size that is final from the first byte change in time only',
      1,
      [
        [0, 9, '1'],
        [400, 9, '2'],
        [800, 9, '3'],
        [1200, 9, '4'],
        [1600, 9, '5'],
      ],
      'ccccc',
    ],
    [
      'stays quiet while nothing changes',
      1,
      [
        [0, 5],
        [600, 5],
        [1200, 5],
        [1800, 5],
      ],
      'ccQQ',
    ],
    [
      'demands two further looks after a gap',
      30,
      [
        [0, 5],
        [5000, 5],
        [10_000, 5],
        [3_600_000, 5],
        [3_605_000, 5],
        [3_610_000, 5],
      ],
      'cccccQ',
    ],
    [
      'demands them again after a second gap',
      30,
      [
        [0, 5],
        [60_000, 5],
        [65_000, 5],
        [200_000, 5],
        [205_000, 5],
        [210_000, 5],
      ],
      'cccccQ',
    ],
    [
      'settles on a share where every look takes longer than a gap',
      30,
      [
        [0, 5],
        [70_000, 5],
        [150_000, 5],
        [220_000, 5],
      ],
      'cccQ',
    ],
    [
      'takes a pause of ten intervals for no gap',
      30,
      [
        [0, 5],
        [5000, 5],
        [55_000, 5],
      ],
      'ccQ',
    ],
    [
      'waits twice as long when the time lies in the future',
      10,
      [
        [0, 5, FUTURE_NS],
        [4000, 5, FUTURE_NS],
        [8000, 5, FUTURE_NS],
        [12_000, 5, FUTURE_NS],
        [20_000, 5, FUTURE_NS],
      ],
      'ccccQ',
    ],
    [
      'takes a file with a future time in the end',
      1,
      [
        [0, 5, FUTURE_NS],
        [700, 5, FUTURE_NS],
        [1400, 5, FUTURE_NS],
        [2100, 5, FUTURE_NS],
      ],
      'cccQ',
    ],
    [
      'takes a time of 1970',
      1,
      [
        [0, 5, '0'],
        [600, 5, '0'],
        [1200, 5, '0'],
      ],
      'ccQ',
    ],
    [
      'takes a time before 1970',
      1,
      [
        [0, 5, '-86400000000000'],
        [600, 5, '-86400000000000'],
        [1200, 5, '-86400000000000'],
      ],
      'ccQ',
    ],
  ])('%s', (_title, settleSeconds, looks, states) => {
    expect(statesOf(settleSeconds, looks)).toBe(states);
  });

  it('takes slow looks that were planned slow for no gap', () => {
    const look = (atMs: number): Look => ({
      sizeBytes: 1,
      mtimeNs: PAST_NS,
      inode: '1',
      atMs,
      wallMs: WALL_MS,
    });
    const terms = { settleSeconds: 1, lookIntervalMs: 5_000 };
    const first = observe(undefined, look(0), terms).observation;
    const second = observe(first, look(6_000), terms).observation;
    expect(observe(second, look(20_000), terms).state).toBe('quiet');
    expect(observe(second, look(20_000), { settleSeconds: 1 }).state).toBe('changing');
  });

  it.each([
    [0.1, 100],
    [0.4, 100],
    [2, 500],
    [12, 3000],
    [20, 5000],
    [30, 5000],
    [3600, 5000],
  ])('looks at a file that settles in %s s every %s ms', (settleSeconds, expectedMs) =>
    expect(lookIntervalMs(settleSeconds)).toBe(expectedMs),
  );

  it('takes versions on another device number for the same, other sizes, times and inodes not', () => {
    const version = { sizeBytes: 1, mtimeNs: '2', inode: '3', device: '4' };
    expect(isSameInPlace(version, { ...version, device: '5' })).toBe(true);
    expect(isSameInPlace(version, { ...version, sizeBytes: 2 })).toBe(false);
    expect(isSameInPlace(version, { ...version, mtimeNs: '3' })).toBe(false);
    expect(isSameInPlace(version, { ...version, inode: '4' })).toBe(false);
  });
});
