import { setImmediate as nextTurn } from 'node:timers/promises';
import { retryClips } from '../../electron/agent/queue/retry-clips.ts';
import type { FailureCode } from '../../shared/domain/failure.ts';
import { clipRow, failureOf, incidentRow, jobRow, openQueue, type QueueFixture } from './queue-fixture.ts';

/** A queue with two incidents that have been checked with the service. */
export async function openTwoIncidents(): Promise<QueueFixture> {
  const queue = await openQueue();
  queue.tables.incidents.insert(incidentRow());
  queue.tables.incidents.insert(incidentRow({ id: 'incident-2', exportPath: 'Gate 5' }));
  for (const id of ['incident-1', 'incident-2']) queue.tables.incidents.checked(id, 1, null, null);
  return queue;
}

/** Failed clips in the queue of a test, and calls that retry them at 5,000 ms. */
export function failedClips(queueOf: () => QueueFixture) {
  const clock = { now: () => 5_000, sleep: () => nextTurn() };
  return {
    clock,
    addFailed(id: string, code: FailureCode, retryable: boolean, incidentId = 'incident-1'): void {
      const { clips, jobs } = queueOf().tables;
      clips.insert(clipRow({ id, path: id, incidentId }));
      clips.failed(id, JSON.stringify(failureOf(code, { retryable })));
      jobs.put(jobRow({ subject: id, incidentId }));
      jobs.fail(jobs.of('send-clip', id)?.id ?? 0, '{}');
    },
    /** The states of the clip and of its job. */
    stateOf(id: string) {
      const { clips, jobs } = queueOf().tables;
      return [clips.byId(id)?.state, jobs.of('send-clip', id)?.state];
    },
    all: () => retryClips(queueOf().dir, { kind: 'all' }, clock),
    one: (id: string) => retryClips(queueOf().dir, { kind: 'id', id }, clock),
  };
}
