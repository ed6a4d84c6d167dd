import { expect, test, vi } from 'vitest';
import type { HistoryEvent } from '../../../shared/domain/upload-history.ts';
import { BENCH_TIMEOUT_MS, PART_BYTES, startBench, type Bench } from '../../helpers/agent-bench.ts';
import { historyTroubles } from '../../helpers/check-history.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

async function eventsOf(bench: Bench, path: string): Promise<readonly HistoryEvent[]> {
  const { clipId } = await bench.ids(path);
  return (await bench.call('uploads.getHistory', { of: { kind: 'clip', clipId } })).events;
}
const namesOf = (bench: Bench, call: 'putObject' | 'putPart' | 'getUploadUrls' | 'putIncident') =>
  bench.simulator.requests.of(call).map(({ requestId }) => requestId);
const idsOf = ({ facts }: HistoryEvent): readonly (readonly [string, string])[] => {
  const ids = facts.kind === 'tried' ? facts.reason?.requestIds : 'requestIds' in facts && facts.requestIds;
  return (ids || []).map(({ name, value }) => [name, value]);
};

test.concurrent('a clip that storage refuses twice shows exactly those tries, with their ids', async (context) => {
  const bench = await startBench(context, {
    files: { 'Ramp/a.avi': 200_000 },
    before: ({ faults }) =>
      faults.add({
        match: { call: 'putObject' },
        times: 2,
        action: { kind: 'answer', status: 503, code: 'SlowDown', when: 'before' },
      }),
  });
  await bench.untilIdle();
  await bench.expectWhole();
  const events = await eventsOf(bench, 'Ramp/a.avi');
  expect(events.map(({ facts }) => facts.kind)).toEqual(['queued', 'tried', 'tried', 'uploaded']);
  const [queued, first, second, uploaded] = events;
  const storageIds = namesOf(bench, 'putObject');
  const urlIds = namesOf(bench, 'getUploadUrls');
  for (const [index, event] of [first, second].entries()) {
    expect(event).toMatchObject({
      facts: { end: 'failed', reason: { code: 'STORAGE_SLOW_DOWN', status: 503 } },
    });
    expect(event && idsOf(event)).toEqual([
      ['x-amz-request-id', storageIds[index]],
      ['x-amz-id-2', expect.any(String)],
    ]);
  }
  expect(uploaded?.facts).toMatchObject({
    storageKey: expect.any(String),
    etag: expect.stringMatching(/^"/),
  });
  expect(uploaded && idsOf(uploaded)).toEqual([
    ['x-request-id', urlIds.at(-1)],
    ['x-amz-request-id', storageIds.at(-1)],
    ['x-amz-id-2', expect.any(String)],
  ]);
  const times = events.flatMap(({ startedAt, at }) => [startedAt ?? at, at]);
  expect(times).toEqual(times.toSorted());
  const { seenAt = '', settledAt = '' } = queued?.facts.kind === 'queued' ? queued.facts : {};
  expect([seenAt, settledAt, queued?.at]).toEqual([seenAt, settledAt, queued?.at].toSorted());
  expect(seenAt).not.toBe('');
});

test.concurrent('a clip in parts tells its upload, its parts and a failed try between them', async (context) => {
  const bench = await startBench(context, {
    files: { 'Ramp/big.ts': 3 * PART_BYTES },
    settings: { upload: { concurrentFiles: 1, concurrentParts: 1 } },
    before: ({ faults }) =>
      faults.add({
        match: { call: 'putPart', partNumber: 3 },
        times: 1,
        action: { kind: 'answer', status: 500, code: 'InternalError', when: 'before' },
      }),
  });
  await bench.untilIdle();
  await bench.expectWhole();
  const events = await eventsOf(bench, 'Ramp/big.ts');
  const [upload] = bench.simulator.requests.of('putPart');
  const ids = namesOf(bench, 'putPart');
  expect(events.map(({ facts }) => facts)).toMatchObject([
    { kind: 'queued' },
    { kind: 'opened', uploadId: upload?.uploadId, parts: 3 },
    { kind: 'parts', first: 1, last: 2, count: 2, sizeBytes: 2 * PART_BYTES },
    { kind: 'tried', end: 'failed', reason: { code: 'STORAGE_FAULT', status: 500 } },
    { kind: 'parts', first: 3, last: 3, count: 1 },
    { kind: 'uploaded' },
  ]);
  expect(events.slice(2, 5).map((event) => idsOf(event)[0]?.[1])).toEqual([ids[1], ids[2], ids[3]]);
  expect(events[3]?.facts).toHaveProperty('nextTryAt');
});

test.concurrent('an incident tells which version the service was told, and by which request', async (context) => {
  const bench = await startBench(context, { files: { 'Ramp/a.avi': 200_000 } });
  await bench.untilIdle();
  const { incidentId } = await bench.ids('Ramp/a.avi');
  const { events } = await bench.call('uploads.getHistory', { of: { kind: 'incident', incidentId } });
  const told = events.filter(({ facts }) => facts.kind === 'told');
  expect(events.slice(0, 2).map(({ facts }) => facts)).toMatchObject([
    { kind: 'queued' },
    { kind: 'checked', isKnown: false },
  ]);
  expect(told.map((event) => idsOf(event)[0])).toEqual(
    namesOf(bench, 'putIncident').map((id) => ['x-request-id', id]),
  );
  const versions = told.map(({ facts }) => (facts.kind === 'told' ? facts.version : 0));
  expect(versions).toEqual(versions.toSorted((a, b) => a - b));
});

test.concurrent('orders of a person are told, those for the whole desk too', async (context) => {
  const hold = { call: 'getUploadUrls' } as const;
  const bench = await startBench(context, { files: { 'Ramp/a.avi': 200_000 }, hold });
  await bench.hold.arrived;
  const { clipId } = await bench.ids('Ramp/a.avi');
  const target = { kind: 'clips' as const, clipIds: [clipId] };
  // Events of the desk are sorted among the clip's own by their times, in milliseconds
  const later = (): Promise<unknown> => {
    const before = bench.clock.now();
    return bench.until(() => bench.clock.now() > before, 'the next millisecond');
  };
  await bench.call('uploads.pause', { target: { kind: 'all' } });
  bench.hold.release();
  await later();
  await bench.call('uploads.pause', { target });
  await later();
  await bench.call('uploads.resume', { target: { kind: 'all' } });
  await later();
  await bench.call('uploads.cancel', { target });
  await bench.call('uploads.retry', { target });
  await bench.untilIdle();
  const events = await eventsOf(bench, 'Ramp/a.avi');
  const words = events.map(({ facts }) =>
    facts.kind === 'tried' ? facts.end : 'by' in facts ? `${facts.kind} ${facts.by}` : facts.kind,
  );
  expect(words.filter((word) => word !== 'stopped')).toEqual([
    'queued',
    'paused desk',
    'paused clip',
    'resumed desk',
    'cancelled',
    'retried',
    'uploaded',
  ]);
  expect(words.filter((word) => word === 'stopped')).toHaveLength(1);
  const own = events.filter(({ sequence }) => sequence > 0);
  expect(historyTroubles({ state: 'uploaded' }, own)).toEqual([]);
});
