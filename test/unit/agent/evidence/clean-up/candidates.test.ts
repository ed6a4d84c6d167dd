import { afterEach, expect, it } from 'vitest';
import { openCleanUpDesk } from '../../../../helpers/clean-up-desk.ts';
import { jobRow } from '../../../../helpers/queue-fixture.ts';

let close: () => Promise<void> = async () => undefined;
afterEach(() => close());

it.each([
  ['a thumbnail that could not be made', 'make-thumbnail', 'picture', 'looked'],
  ['a record that was refused', 'put-incident', 'record', undefined],
] as const)('an export is looked at as it should be beside %s', async (_what, kind, pool, state) => {
  const desk = await openCleanUpDesk({});
  ({ close } = desk);
  const incidentId = await desk.add('Gate 4', ['a.mp4']);
  const subject =
    kind === 'put-incident' ? incidentId : (desk.tables.clips.ofIncident(incidentId)[0]?.id ?? '');
  desk.tables.jobs.put(jobRow({ kind, subject, incidentId, pool }));
  desk.tables.jobs.fail(desk.tables.jobs.of(kind, subject)?.id ?? 0, '{}');
  await desk.pass();
  expect(desk.tables.cleanUps.byId(incidentId)?.state).toBe(state);
});
