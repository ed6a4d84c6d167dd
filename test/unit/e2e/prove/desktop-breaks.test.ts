import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { desktopBreaks } from '../../../e2e/prove/desktop-breaks.ts';

/** Running the breaks takes hours; this shows immediately when the product has changed where they apply. */
describe('npm run prove:desktop', () => {
  it('breaks text that stands in its file exactly once', () => {
    const stale = desktopBreaks.filter(
      ({ file, find }) => !existsSync(file) || readFileSync(file, 'utf8').split(find).length !== 2,
    );
    expect(stale.map(({ file, find }) => `${file}: ${find}`)).toEqual([]);
  });

  it('is seen by files of tests that exist', () => {
    const stale = desktopBreaks.filter(
      ({ spec }) => !existsSync(spec.includes('/') ? spec : `test/e2e/desktop/${spec}`),
    );
    expect(stale.map(({ spec }) => spec)).toEqual([]);
  });
});
