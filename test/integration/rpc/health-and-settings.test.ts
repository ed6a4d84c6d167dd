import { rename } from 'node:fs/promises';
import { expect, test, vi } from 'vitest';
import { healthSchema } from '../../../shared/domain/health.ts';
import { BENCH_TIMEOUT_MS } from '../../helpers/agent-bench.ts';
import { startRpcDesk } from './rpc-desk.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

test('the health of a desk that has sent everything', async (context) => {
  const desk = await startRpcDesk(context, {
    files: { 'Gate 4/cam1.avi': 300_000, 'Gate 4/cam2.ts': 200_000, 'Ramp/a.avi': 100_000 },
  });
  const startMs = Date.now();
  await desk.startAndSettle();
  await desk.until(async () => (await proofOf(desk))?.statedAt, 'the first statement of the chain');
  const health = await desk.call('health.get', {});
  if (!health.ok) throw new Error(health.error.message);
  expect(healthSchema.parse(health.value)).toEqual({
    versions: { agent: '0.0.0', node: process.versions.node, sqlite: expect.stringMatching(/^3\.\d+/) },
    startedAt: expect.any(String),
    isPaused: false,
    pausedCircuits: [],
    proof: {
      rows: expect.any(Number),
      removed: 0,
      problems: [],
      key: { fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/), keptIn: 'file' },
      statedAt: expect.any(String),
    },
    findings: [],
    // The service's time has a resolution of a second, and a busy machine reads it late
    clockSkewMs: expect.closeTo(0, -4),
    answers: { lastMs: expect.any(Number) },
    roots: [{ path: desk.root, isOnline: true, settling: 0, scannedAt: expect.any(String) }],
    exports: {
      held: 0,
      missing: 0,
      onHold: 0,
      ignored: 0,
      unrecognised: 0,
      reading: 0,
      writing: 0,
      settling: 0,
      copy: 0,
    },
    queue: {
      incidents: 2,
      unsynced: 0,
      refused: 0,
      waiting: 0,
      uploaded: 3,
      failed: 0,
      retryable: 0,
      waitingBytes: 0,
      databaseBytes: expect.any(Number),
      lastUploadedAt: expect.any(String),
    },
  });
  const { startedAt, queue } = health.value;
  for (const time of [startedAt, queue.lastUploadedAt ?? '']) {
    expect(Date.parse(time)).toBeGreaterThanOrEqual(startMs);
    expect(Date.parse(time)).toBeLessThanOrEqual(Date.now());
  }
  expect(queue.databaseBytes).toBeGreaterThan(10_000);
});

test('the health of a desk whose key is refused and whose folder is gone', async (context) => {
  const desk = await startRpcDesk(context, {
    files: { 'Gate 4/cam1.avi': 300_000 },
    simulator: { keys: [{ key: 'another', videoPermission: true }] },
  });
  await desk.start();
  await desk.until(() => desk.heard('notice').some(({ code }) => code === 'KEY_REFUSED'), 'the refusal');
  await rename(desk.root, `${desk.root}-away`);
  const isOffline = async () => {
    const health = await desk.call('health.get', {});
    return health.ok && health.value.roots[0]?.isOnline === false ? health.value : undefined;
  };
  const health = await desk.until(isOffline, 'the folder to be offline');
  expect(health).toMatchObject({
    pausedCircuits: [{ circuit: 'service', failure: { code: 'KEY_REFUSED' }, since: expect.any(String) }],
    roots: [{ path: desk.root, failure: { code: 'ROOT_OFFLINE' } }],
    queue: { incidents: 1, unsynced: 1, waiting: 1, waitingBytes: 300_000 },
  });
  expect(desk.heard('changed').map(({ subject }) => subject)).toContain('health');
});

test('a clock that is off is told in its direction', async (context) => {
  const desk = await startRpcDesk(context, {
    files: { 'Gate 4/cam1.avi': 100_000 },
    simulator: { clockOffsetMs: 600_000 },
  });
  await desk.startAndSettle();
  const health = await desk.call('health.get', {});
  expect(health.ok && Math.round(health.value.clockSkewMs / 10_000)).toBe(60);
  expect(desk.heard('notice').map(({ code }) => code)).toContain('CLOCK_SKEW');
});

test('settings that a window saves are in the file, heard of by others, and in force after a restart only', async (context) => {
  const desk = await startRpcDesk(context);
  await desk.start();
  const before = await desk.call('settings.get', {});
  expect(before).toMatchObject({ ok: true, value: { file: desk.settingsFile, needsRestart: false } });
  const change = { users: { updateMethod: 'PUT' as const } };
  const saved = await desk.call('settings.save', { change });
  expect(saved).toMatchObject({ ok: true, value: { needsRestart: true, settings: change } });
  await desk.until(() => desk.heard('changed').some(({ subject }) => subject === 'settings'), 'the change');
  expect(await desk.call('settings.get', {})).toEqual(saved);
  desk.simulator.configure({ userUpdateMethod: 'PUT' });
  const userId = desk.simulator.team().users[0]?.id ?? '';
  expect(await desk.call('users.deactivate', { userId })).toMatchObject({
    ok: false,
    error: { code: 'METHOD_REFUSED' },
  });
});

test('the connection is checked with the settings in force, five lines in order', async (context) => {
  const desk = await startRpcDesk(context);
  await desk.start();
  const checked = await desk.call('connection.check', {});
  expect(checked.ok && checked.value.lines.map(({ name, state }) => `${name} ${state}`)).toEqual([
    'address ok',
    'tls skipped',
    'service ok',
    'permission ok',
    'clock ok',
  ]);
});

async function proofOf(desk: Awaited<ReturnType<typeof startRpcDesk>>) {
  const health = await desk.call('health.get', {});
  return health.ok ? health.value.proof : undefined;
}
