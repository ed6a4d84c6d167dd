import { expect, test } from './desktop.ts';

/** The product's promise for the time from the start of the program to its first screen, milliseconds. */
const START_LIMIT_MS = 2_000;
/** What else the machine does comes and goes; a slower program is slower in each of them. */
const STARTS = 5;

test('the first screen stands two seconds after the start, in the best of five', async ({ desktop }) => {
  test.slow();
  const figures: number[] = [];
  for (let start = 1; start <= STARTS; start += 1) {
    const startedMs = performance.now();
    const { app } = await desktop.start();
    const tookMs = Math.round(performance.now() - startedMs);
    figures.push(tookMs);
    test.info().annotations.push({
      type: 'figure',
      description: `start to first screen: ${tookMs} ms, ${start} of ${STARTS}, nothing else running`,
    });
    await app.system.quit();
    expect(await app.ended).toBe(0);
  }
  expect(Math.min(...figures)).toBeLessThanOrEqual(START_LIMIT_MS);
});
