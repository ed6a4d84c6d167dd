import { afterEach, beforeEach, expect, it } from 'vitest';
import { createJobClaims } from '../../../../electron/agent/queue/job-claims.ts';
import type { PoolWorker } from '../../../../electron/agent/queue/run-batch.ts';
import {
  clipRow,
  incidentRow,
  jobRow,
  openQueue,
  type QueueFixture,
} from '../../../helpers/queue-fixture.ts';

let queue: QueueFixture;

beforeEach(async () => {
  queue = await openQueue();
});
afterEach(() => queue.close());

const worker: PoolWorker = {
  pool: 'small',
  slots: 1,
  batchSize: 1,
  steps: { 'send-clip': ['object'] },
  run: async () => undefined,
  onGivenUp: () => undefined,
  onRetry: () => undefined,
};

/** Circuits that are open. */
const circuits = {
  allowance: () => 'all' as const,
  lastRefused: () => undefined,
  probeStarted: () => undefined,
};

function add(number: number): void {
  const id = `incident-${number}`;
  queue.tables.incidents.insert(incidentRow({ id, exportPath: id }));
  queue.tables.clips.insert(clipRow({ id: `clip-${number}`, incidentId: id }));
  queue.tables.jobs.put(jobRow({ subject: `clip-${number}`, incidentId: id }));
}

it('gives one slot in eight to what waited longest, however much is new', () => {
  for (let number = 1; number <= 4; number += 1) add(number);
  const { batch } = createJobClaims({
    tables: queue.tables,
    circuits: circuits as never,
    clock: { now: () => 0 },
    leaseName: 'me',
  });
  const claimed: string[] = [];
  for (let number = 101; number <= 132; number += 1) {
    // A newer incident for each slot: newest first alone would let the oldest ones wait forever
    add(number);
    claimed.push(...batch(worker).map(({ subject }) => subject));
  }
  expect(claimed.filter((subject) => /^clip-[1-4]$/.test(subject))).toEqual([
    'clip-1',
    'clip-2',
    'clip-3',
    'clip-4',
  ]);
  expect(claimed.indexOf('clip-1')).toBe(7);
  expect(claimed[0]).toBe('clip-101');
});

it('takes no more bytes in a batch than its worker does, and a larger job alone', () => {
  queue.tables.incidents.insert(incidentRow({ id: 'incident', exportPath: 'incident' }));
  for (const [index, sizeBytes] of [10, 90, 1, 500].entries()) {
    const id = `clip-${index}`;
    queue.tables.clips.insert(clipRow({ id, incidentId: 'incident', path: `${id}.mp4`, sizeBytes }));
    queue.tables.jobs.put(jobRow({ subject: id, incidentId: 'incident' }));
  }
  const { batch } = createJobClaims({
    tables: queue.tables,
    circuits: circuits as never,
    clock: { now: () => 0 },
    leaseName: 'me',
  });
  const sizes = () => batch({ ...worker, batchSize: 9, batchBytes: 100 }).map(({ sendBytes }) => sendBytes);
  expect([sizes(), sizes(), sizes(), sizes()]).toEqual([[1, 10], [90], [500], []]);
});
