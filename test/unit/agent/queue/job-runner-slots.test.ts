import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { clipRow, incidentRow } from '../../../helpers/queue-fixture.ts';
import { done, testWorker, until, useRunnerDesk } from '../../../helpers/runner-desk.ts';

const desk = useRunnerDesk();

describe('slots of a worker', () => {
  it.each([
    [100, 5],
    [400, 3],
    [1_000, 2],
  ])(
    'has more than two while all clips together, of %i bytes each, are small: %i',
    async (sizeBytes, expected) => {
      const { tables } = desk().queue;
      for (const subject of ['a', 'b', 'c', 'd', 'e', 'f']) {
        tables.incidents.insert(incidentRow({ id: subject, exportPath: subject }));
        tables.clips.insert(clipRow({ id: subject, incidentId: subject, sizeBytes }));
        desk().put(subject);
      }
      const stuck = testWorker(
        (_job, signal) => once(signal, 'abort').then(() => ({ kind: 'interrupted' })),
        {
          slots: 2,
          moreSlots: { count: 3, belowBytes: 1_000 },
        },
      );
      desk().start(stuck);
      await until(() => expect(stuck.runs).toHaveLength(expected));
      await delay(20);
      expect(stuck.runs).toHaveLength(expected);
    },
  );

  it('gives a slot to the next batch while the results of one are still being stored', async () => {
    for (const subject of ['a', 'b']) desk().put(subject);
    const stored = Promise.withResolvers<void>();
    const runs: string[] = [];
    const small = testWorker(done, {
      slots: 1,
      async run(jobs, settle, { leaveSlot }) {
        for (const job of jobs) {
          runs.push(job.subject);
          leaveSlot();
          await stored.promise;
          await settle(job, { kind: 'done' });
        }
      },
    });
    const runner = desk().start(small);
    await until(() => expect(runs).toEqual(['a', 'b']));
    expect(runner.active()).toBe(2);
    stored.resolve();
    await until(() => expect(desk().queue.tables.jobs.countOpen()).toBe(0));
  });
});
