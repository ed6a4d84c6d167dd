import { expect, test, vi } from 'vitest';
import { createSystemClock } from '../../../electron/agent/system-clock.ts';
import { retryClips } from '../../../electron/agent/queue/retry-clips.ts';
import { BENCH_TIMEOUT_MS } from '../../helpers/agent-bench.ts';
import { startRpcDesk } from './rpc-desk.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

const PART_BYTES = 5 * 1024 * 1024;

test('a window sees an incident come, its bytes move, and the news that it is sent', async (context) => {
  const desk = await startRpcDesk(context, {
    files: { 'Gate 4/cam1.avi': 2 * PART_BYTES },
    settings: {
      upload: {
        multipartThresholdBytes: PART_BYTES,
        partSizeBytes: PART_BYTES,
        maxBytesPerSecond: PART_BYTES,
      },
    },
  });
  await desk.startAndSettle();
  await desk.until(() => desk.heard('progress').at(-1)?.bytesPerSecond === 0, 'rest');
  const clips = await desk.call('uploads.listClips', {});
  const [clip] = clips.ok ? clips.value.rows : [];

  const changed = desk.heard('changed').filter(({ subject }) => subject === 'uploads');
  expect(changed.flatMap(({ incidentIds = [] }) => incidentIds)).toContain(clip?.incidentId);
  expect(changed.map(({ version }) => version)).toEqual(changed.map((_, index) => index + 1));

  const progress = desk.heard('progress');
  const done = progress.map(({ bytesDone }) => bytesDone);
  expect(progress.length).toBeGreaterThanOrEqual(3);
  expect(done).toEqual(done.toSorted((one, other) => one - other));
  expect(progress.at(-1)).toMatchObject({ bytesDone: 2 * PART_BYTES, bytesTotal: 2 * PART_BYTES, clips: [] });
  expect(new Set(progress.flatMap((signal) => signal.clips.map(({ id }) => id)))).toEqual(
    new Set([clip?.id]),
  );
  expect(Math.max(...progress.map(({ bytesPerSecond }) => bytesPerSecond))).toBeGreaterThan(PART_BYTES / 4);

  await desk.until(() => desk.heard('notice').length > 0, 'the news');
  expect(desk.heard('notice')).toEqual([
    {
      kind: 'notice',
      level: 'info',
      code: 'INCIDENT_SENT',
      message: 'Gate 4: 1 clip sent.',
      incidentId: clip?.incidentId,
    },
  ]);
});

test('a window sees what the command line does to the queue', async (context) => {
  const desk = await startRpcDesk(context, {
    files: { 'Gate 4/cam1.avi': 2_000_000 },
    simulator: { maxUploadSizeMb: 1 },
  });
  await desk.start();
  await desk.until(() => desk.heard('notice').some(({ level }) => level === 'failure'), 'the failure');
  const failed = desk.heard('notice').find(({ level }) => level === 'failure');
  await desk.agent.untilIdle(AbortSignal.timeout(50_000));
  await desk.untilQuiet();
  const before = desk.signals.length;
  expect(
    await retryClips(desk.dataDir, { kind: 'id', id: failed?.clipId ?? '' }, createSystemClock()),
  ).toMatchObject({
    ok: true,
  });
  await desk.until(
    () =>
      desk.signals.slice(before).some((signal) => signal.kind === 'changed' && signal.subject === 'uploads'),
    'the change',
  );
});

test('an order of one window is a change for all', async (context) => {
  const desk = await startRpcDesk(context, { files: { 'Gate 4/cam1.avi': 100_000 } });
  await desk.startAndSettle();
  await desk.untilQuiet();
  const before = desk.signals.length;
  expect(await desk.call('uploads.pause', { target: { kind: 'all' } })).toMatchObject({ ok: true });
  expect(await desk.call('health.get', {})).toMatchObject({ value: { isPaused: true } });
  await desk.until(() => desk.signals.length >= before + 2, 'the changes');
  const subjects = desk.signals.slice(before).map((signal) => signal.kind === 'changed' && signal.subject);
  expect(subjects).toEqual(['uploads', 'health']);
});

test('while nothing happens nothing is heard', async (context) => {
  const desk = await startRpcDesk(context, { files: { 'Gate 4/cam1.avi': 100_000 } });
  await desk.startAndSettle();
  await desk.untilQuiet();
  const before = desk.signals.length;
  await new Promise((resolve) => setTimeout(resolve, 2500));
  expect(desk.signals.slice(before)).toEqual([]);
});
