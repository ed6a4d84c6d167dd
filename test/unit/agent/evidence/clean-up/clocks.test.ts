import { expect, it, onTestFinished } from 'vitest';
import { openCleanUpDesk } from '../../../../helpers/clean-up-desk.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

it('an export stays till its days are over when only the answer about it shows that the clocks were ahead', async () => {
  const desk = await openCleanUpDesk();
  onTestFinished(() => desk.close());
  const id = await desk.add('Gate 4', ['a.mp4']);
  await desk.pass();
  desk.later(HOUR_MS);
  await desk.pass();
  desk.setAhead(300 * DAY_MS);
  desk.serviceClock.observe(new Date(desk.now() + 300 * DAY_MS).toUTCString());
  desk.service.change = (video) => {
    desk.serviceClock.observe(new Date(desk.now()).toUTCString());
    return video;
  };
  await desk.pass();
  expect(desk.tables.cleanUps.byId(id)?.state).toBe('proved');
  expect(await desk.files()).toEqual(['Gate 4/a.mp4']);
  desk.later(3 * DAY_MS);
  await desk.pass();
  expect(desk.tables.cleanUps.byId(id)?.state).toBe('done');
});
