import { expect, test } from 'vitest';
import {
  observeSpeed,
  speedOf,
  startSpeedMeter,
  type SpeedMeter,
} from '../../../../electron/agent/core/speed-meter.ts';

/** A meter read every 250 ms while each speed lasted for its number of seconds. */
function watch(steps: readonly (readonly [bytesPerSecond: number, seconds: number])[]): SpeedMeter {
  let meter = startSpeedMeter(5000, 0);
  for (const [speed, seconds] of steps) {
    for (let look = 0; look < seconds * 4; look += 1)
      meter = observeSpeed(meter, meter.bytes + speed / 4, meter.atMs + 250);
  }
  return meter;
}

test('tells nothing before half a second', () => {
  expect(speedOf(startSpeedMeter(0, 0))).toBeUndefined();
  expect(speedOf(watch([[1000, 0.25]]))).toBeUndefined();
  expect(speedOf(watch([[1000, 0.5]]))).toBeCloseTo(1000);
});

test('tells an even speed exactly from the beginning', () => {
  for (const seconds of [0.5, 1, 2, 10, 100])
    expect(speedOf(watch([[4_000_000, seconds]]))).toBeCloseTo(4_000_000, 0);
});

test('believes half of a change after two seconds', () => {
  expect(
    speedOf(
      watch([
        [1000, 60],
        [3000, 2],
      ]),
    ),
  ).toBeCloseTo(2000, 0);
  expect(
    speedOf(
      watch([
        [1000, 60],
        [0, 2],
      ]),
    ),
  ).toBeCloseTo(500, 0);
});

test('does not go below zero when bytes go back, nor wild when no time passed', () => {
  const meter = watch([[1000, 10]]);
  const back = observeSpeed(meter, 0, meter.atMs + 250);
  expect(speedOf(back)).toBeGreaterThan(0);
  expect(speedOf(back)).toBeLessThan(1000);
  expect(observeSpeed(meter, meter.bytes + 1e9, meter.atMs)).toEqual(meter);
});
