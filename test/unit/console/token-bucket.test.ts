import { expect, it } from 'vitest';
import { createTokenBucket } from '../../../electron/console/token-bucket.ts';
import { createFakeClock } from '../../helpers/fake-clock.ts';

it('grants a burst, says how long to wait, and grants again after just that', async () => {
  const clock = createFakeClock();
  const bucket = createTokenBucket(clock, { burst: 3, perSecond: 4 });
  expect([bucket.take(), bucket.take(), bucket.take(), bucket.take()]).toEqual([0, 0, 0, 250]);
  await clock.advance(100);
  expect(bucket.take()).toBe(150);
  await clock.advance(150);
  expect(bucket.take()).toBe(0);
});

it('saves up no more than one burst', async () => {
  const clock = createFakeClock();
  const bucket = createTokenBucket(clock, { burst: 2, perSecond: 10 });
  await clock.advance(3_600_000);
  expect([bucket.take(), bucket.take(), bucket.take()]).toEqual([0, 0, 100]);
});
