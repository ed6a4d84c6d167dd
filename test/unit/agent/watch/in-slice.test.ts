import { expect, it } from 'vitest';
import { inSlice } from '../../../../electron/agent/watch/in-slice.ts';
import { createFakeClock } from '../../../helpers/fake-clock.ts';

it('lets others have their turn while many files need no reading', async () => {
  let turns = 0;
  let done = 0;
  let running = setImmediate(function turn() {
    turns += 1;
    running = setImmediate(turn);
  });
  const files = Array.from({ length: 10_000 }, (_unused, index) => index);
  const work = async (): Promise<void> => void (done += 1);
  await inSlice(files, work, createFakeClock(), new AbortController().signal);
  clearImmediate(running);
  expect(done).toBe(10_000);
  expect(turns).toBeGreaterThanOrEqual(9);
});

it('leaves what it does not reach in time, and begins nothing more', async () => {
  const clock = createFakeClock();
  let begun = 0;
  const work = async (): Promise<void> => {
    begun += 1;
    await clock.advance(1_000);
  };
  const files = Array.from({ length: 100 }, (_unused, index) => index);
  await inSlice(files, work, clock, new AbortController().signal);
  expect(begun).toBeLessThan(20);
});
