import { expect, test, vi } from 'vitest';
import type { CallInput, CallName } from '../../../shared/ipc/contract.ts';
import { BENCH_TIMEOUT_MS } from '../../helpers/agent-bench.ts';
import { eventually } from '../../helpers/eventually.ts';
import { startRpcDesk } from './rpc-desk.ts';

type Desk = Awaited<ReturnType<typeof startRpcDesk>>;

/** Makes calls and expects each to succeed. */
function asking({ call }: Desk) {
  return async <Name extends CallName>(name: Name, input: CallInput<Name>) => {
    const answer = await call(name, input);
    if (!answer.ok) throw new Error(JSON.stringify(answer.error));
    return answer.value;
  };
}

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

test('a shift hands over what came in, what failed and what waits, and the activity tells how it came about', async (context) => {
  const desk = await startRpcDesk(context, {
    files: { 'Gate 4/cam1.avi': 300_000, 'Gate 4/cam2.avi': 2_000_000, 'Gate 5/notes.txt': 'none' },
    simulator: { maxUploadSizeMb: 1 },
  });
  const ask = asking(desk);
  await desk.startAndSettle();
  const since = new Date(Date.now() - 3_600_000).toISOString();
  const shift = await ask('uploads.handover', { since });
  expect(shift).toMatchObject({
    since,
    arrived: { incidents: 1, rows: [{ title: 'Gate 4', uploaded: 1, failed: 1 }] },
    sent: { clips: 1, bytes: 300_000 },
    failed: {
      clips: 1,
      records: 0,
      rows: [{ title: 'Gate 4', file: 'cam2.avi', failure: { code: 'FILE_TOO_LARGE' } }],
    },
    waiting: { clips: 0, incidents: 0 },
    exports: { total: 1, rows: [{ name: 'Gate 5', state: 'unrecognised' }] },
  });
  expect(shift.failed.rows[0]?.failedAt).toBeDefined();
  const later = await ask('uploads.handover', { since: new Date(Date.now() + 60_000).toISOString() });
  expect(later).toMatchObject({
    arrived: { incidents: 0, rows: [] },
    sent: { clips: 0, bytes: 0 },
    // Open clips are handed over however old they are
    failed: { clips: 1 },
  });

  await ask('uploads.pause', { target: { kind: 'all' } });
  const { entries } = await ask('health.activity', {});
  const actions = entries.map(({ action }) => action);
  expect(actions[0]).toBe('uploads.pause');
  expect(entries[0]?.state).toBe('done');
  expect(entries.find(({ action }) => action === 'clip.failed')).toMatchObject({
    title: 'Gate 4',
    file: 'cam2.avi',
    code: 'FILE_TOO_LARGE',
    reason: expect.stringContaining('Too large'),
  });
  expect(actions.indexOf('clip.sent')).toBeLessThan(actions.indexOf('incident.found'));
  const oldest = entries.at(-1)?.sequence ?? 0;
  expect(await ask('health.activity', { before: oldest })).toEqual({ entries: [] });
});

test('an export that was looked at leads to the incident that it became', async (context) => {
  const desk = await startRpcDesk(context, {
    files: { 'Gate 5/notes.txt': 'none', 'Gate 6/notes.txt': 'none' },
  });
  const ask = asking(desk);
  await desk.start();
  const seen = async () => (await ask('uploads.listExports', {})).rows;
  await eventually(async () => (await seen()).length === 2);
  const exportId = (await seen()).find(({ name }) => name === 'Gate 5')?.id ?? '';
  expect(await ask('uploads.incidentOfExport', { exportId })).toEqual({});
  await desk.write('Gate 5/cam1.avi', 50_000);
  const became = async () => (await ask('uploads.incidentOfExport', { exportId })).incidentId;
  await eventually(async () => (await became()) !== undefined);
  const incident = await ask('uploads.getIncident', { incidentId: (await became()) ?? '' });
  expect(incident.row.title).toBe('Gate 5');
});
