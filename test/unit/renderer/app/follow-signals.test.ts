import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createReadAgain, READ_AGAIN_MS } from '../../../../renderer/app/follow-signals.ts';

describe('createReadAgain', () => {
  const readings: string[][] = [];
  let isHidden = false;
  const make = () =>
    createReadAgain<string>(
      (subjects) => readings.push([...subjects]),
      () => isHidden,
    );
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    vi.useRealTimers();
    readings.length = 0;
    isHidden = false;
  });

  it('reads the first change at once and those that follow together, once a second', () => {
    const reading = make();
    for (let tick = 0; tick < 40; tick += 1) {
      reading.changed('uploads');
      reading.changed('health');
      vi.advanceTimersByTime(250);
    }
    expect(readings[0]).toEqual(['uploads']);
    expect(readings[1]).toEqual(['health', 'uploads']);
    expect(readings.length).toBeLessThanOrEqual(11);
  });

  it('never loses the last change', () => {
    const reading = make();
    reading.changed('uploads');
    reading.changed('settings');
    vi.advanceTimersByTime(READ_AGAIN_MS);
    expect(readings).toEqual([['uploads'], ['settings']]);
    vi.advanceTimersByTime(10 * READ_AGAIN_MS);
    expect(readings.length).toBe(2);
  });

  it('reads nothing while nobody sees the page, and what was missed when someone does', () => {
    const reading = make();
    isHidden = true;
    reading.changed('uploads');
    vi.advanceTimersByTime(10 * READ_AGAIN_MS);
    expect(readings).toEqual([]);
    isHidden = false;
    reading.shown();
    reading.shown();
    expect(readings).toEqual([['uploads']]);
  });

  it('reads nothing more after its end', () => {
    const reading = make();
    reading.changed('uploads');
    reading.changed('uploads');
    reading.stop();
    vi.advanceTimersByTime(10 * READ_AGAIN_MS);
    expect(readings.length).toBe(1);
  });
});
