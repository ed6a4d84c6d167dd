import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPackDesk } from '../../../helpers/pack-desk.ts';

const DAY_MS = 24 * 3_600_000;

let desk: Awaited<ReturnType<typeof openPackDesk>>;
beforeEach(async () => {
  desk = await openPackDesk();
});
afterEach(() => desk.close());

/** Adds five rows and publishes the hash of the last one. */
async function fill(): Promise<void> {
  for (const userId of ['1', '2', '3', '4']) desk.trail.note('users.remove', { userId });
  await desk.heads.stateNow();
}

/** Removes the rows from before that time, except the last, as if by age. */
function trim(before: number, notedAt: number): void {
  const end = desk.tables.audit.trim(before, 1, 1000);
  if (end === undefined) throw new Error('No row was removed');
  desk.tables.audit.note(notedAt, 'audit.trimmed', { upTo: end.sequence, hash: end.hash });
}

describe('rows that were removed from the front of the chain', () => {
  it.each([
    ['now', 0],
    ['for a time in the future', 400 * DAY_MS],
  ])('are missed where their removal is noted %s and their hash was published this month', async (_, ms) => {
    await fill();
    desk.clock.stepWallClock(DAY_MS);
    await fill();
    trim(desk.clock.now() - 1, desk.clock.now() + ms);
    const says =
      /removed before they were a month old, among them row 6, .* published .* at 2026-05-01T20:00/;
    expect((await desk.heads.check()).findings).toMatchObject([
      { row: 6, text: expect.stringMatching(says) },
    ]);
  });

  it('are not missed once they were old, whatever the clock says later', async () => {
    await fill();
    desk.clock.stepWallClock(32 * DAY_MS);
    await fill();
    trim(desk.clock.now() - 31 * DAY_MS, desk.clock.now());
    expect(await desk.heads.check()).toMatchObject({ removed: 6, findings: [] });
    desk.clock.stepWallClock(-4000 * DAY_MS);
    expect(await desk.heads.check()).toMatchObject({ removed: 6, findings: [] });
  });
});
