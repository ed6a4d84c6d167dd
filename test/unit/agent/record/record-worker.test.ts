import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JobRow } from '../../../../electron/agent/store/job-rows.ts';
import { createRecordWorker } from '../../../../electron/agent/record/record-worker.ts';
import type { JobOutcome } from '../../../../electron/agent/queue/outcome.ts';
import { orphanUpload } from '../../../../electron/agent/queue/orphan-uploads.ts';
import { clipRow, failureOf, incidentRow, multipartRow } from '../../../helpers/queue-fixture.ts';
import { openRecordDesk, type RecordDesk } from '../../../helpers/record-desk.ts';

let desk: RecordDesk;

beforeEach(async () => {
  desk = await openRecordDesk();
  desk.tables.incidents.insert(incidentRow());
  desk.tables.clips.insert(clipRow());
});
afterEach(() => desk.close());

const worker = () => createRecordWorker({ ...desk, queue: desk.incidents });
async function run(job: JobRow): Promise<JobOutcome | undefined> {
  let outcome: JobOutcome | undefined;
  const { signal } = new AbortController();
  await worker().run([job], async (_job, settled) => void (outcome = settled), {
    signal,
    end: signal,
    leaveSlot: () => undefined,
  });
  return outcome;
}
function orphan(): JobRow {
  desk.tables.multiparts.insert(multipartRow());
  desk.tables.write(() => orphanUpload(desk, 'incident-1', 'clip-1', 'the file changed'));
  return desk.job('abort-upload', '1');
}

describe('createRecordWorker', () => {
  it('aborts an upload that will not be completed, and ends it in the ledger', async () => {
    desk.answer = () => [200, { storage_key: 'key-1', upload_id: 'upload-1' }];
    const outcome = await run(orphan());
    if (outcome?.kind === 'done') outcome.commit?.();
    expect(desk.server.requests[0]?.url).toBe(
      '/vms/incidents/incident-1/abort_multipart_upload?storage_key=key-1&upload_id=upload-1',
    );
    expect(desk.tables.orphans.byId(1)).toMatchObject({ outcome: 'aborted', reason: 'the file changed' });
    expect(desk.tables.multiparts.byClip('clip-1')).toBeUndefined();
  });

  it.each([404, 410])('takes an upload that is unknown there (%i) for aborted', async (status) => {
    desk.answer = () => [status, {}];
    const outcome = await run(orphan());
    expect(outcome?.kind).toBe('done');
    if (outcome?.kind === 'done') outcome.commit?.();
    expect(desk.tables.orphans.byId(1)?.outcome).toBe('unknown there');
  });

  it('keeps trying to abort while the service is away', async () => {
    desk.answer = () => [503, {}];
    expect(await run(orphan())).toMatchObject({ kind: 'refused', step: 'abort' });
    expect(desk.tables.orphans.byId(1)?.endedAt).toBeNull();
  });

  it('opens the circuit of the service with an answer that it understood', async () => {
    desk.circuits.pause('service', failureOf('NETWORK'));
    desk.incidents.check('incident-1');
    await run(desk.job('check-incident', 'incident-1'));
    expect(desk.circuits.pauses()).toEqual([]);
  });

  it.each([404, 410])(
    'ends the check of a record that was deleted there (%i), and queues nothing for it',
    async (status) => {
      desk.incidents.confirmLater('incident-1');
      desk.answer = () => [status, {}];
      expect(await run(desk.job('confirm-record', 'incident-1'))).toEqual({ kind: 'done' });
      expect(desk.tables.jobs.of('put-incident', 'incident-1')).toBeUndefined();
    },
  );

  it('forgets a look at a record that was given up: the incident is not kept for it', () => {
    desk.incidents.confirmLater('incident-1');
    const job = desk.job('confirm-record', 'incident-1');
    const failure = { code: 'VALIDATION', message: 'No.', advice: 'Ask.', retryable: false } as const;
    desk.tables.write(() => worker().onGivenUp(job, failure))?.();
    expect(desk.tables.jobs.of('confirm-record', 'incident-1')).toBeUndefined();
    expect(desk.tables.incidents.byId('incident-1')?.failure).toBeNull();
  });

  it('shows on the incident why its record was given up', () => {
    desk.incidents.check('incident-1');
    const failure = failureOf('VALIDATION', { retryable: false });
    worker().onGivenUp(desk.job('check-incident', 'incident-1'), failure)?.();
    // The clip that waited for the answer has the same failure, and is included in "retry all"
    expect(desk.tables.clips.byId('clip-1')).toMatchObject({
      state: 'failed',
      failure: JSON.stringify(failure),
    });
    expect(desk.told).toContainEqual(expect.objectContaining({ event: 'clip.failed', clipId: 'clip-1' }));
    expect(JSON.parse(desk.tables.incidents.byId('incident-1')?.failure ?? '')).toEqual(failure);
    expect(desk.told).toContainEqual({ event: 'warning', code: 'VALIDATION', message: failure.message });
  });

  it('keeps an upload in the ledger whose abort was given up, for a retry', () => {
    worker().onGivenUp(orphan(), failureOf('VALIDATION'));
    expect(desk.tables.orphans.byId(1)).toMatchObject({ endedAt: null, outcome: null });
  });
});
