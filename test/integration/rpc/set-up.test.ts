import { expect, test, vi } from 'vitest';
import { BENCH_TIMEOUT_MS } from '../../helpers/agent-bench.ts';
import { CANARY_KEY, startRpcDesk } from './rpc-desk.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

type Desk = Awaited<ReturnType<typeof startRpcDesk>>;

async function closedCodes({ call }: Desk): Promise<readonly string[]> {
  const health = await call('health.get', {});
  return health.ok ? health.value.pausedCircuits.map(({ failure }) => failure.code) : [];
}

async function clipStates({ call }: Desk): Promise<readonly string[]> {
  const clips = await call('uploads.listClips', {});
  return clips.ok ? clips.value.rows.map(({ state }) => state) : [];
}

test('a desk without a service collects what is exported, blames no clip, and sends it once there is one', async (context) => {
  const desk = await startRpcDesk(context, {
    files: { 'Gate 4/cam1.avi': 300_000 },
    settings: { baseUrl: undefined },
  });
  await desk.start();
  await desk.until(async () => (await closedCodes(desk)).includes('NOT_SET_UP'), 'the pause');
  expect(await clipStates(desk)).toEqual(['waiting']);
  const check = await desk.call('connection.check', {});
  expect(check.ok && check.value.lines.map(({ name, state }) => `${name} ${state}`)).toEqual([
    'address failed',
    'tls skipped',
    'service skipped',
    'permission skipped',
    'clock skipped',
  ]);
  expect(check).toMatchObject({ value: { lines: [{ failure: { code: 'NOT_SET_UP' } }, {}, {}, {}, {}] } });
  for (const name of ['users.list', 'periods.list'] as const) {
    const asked = name === 'users.list' ? { filter: {}, page: 1, perPage: 10 } : { range: {} };
    expect(await desk.call(name, asked)).toMatchObject({ ok: false, error: { code: 'NOT_SET_UP' } });
  }
  expect(await desk.agent.untilIdle(AbortSignal.timeout(20_000))).toMatchObject({ code: 'NOT_SET_UP' });
  expect(desk.simulator.requests.all()).toEqual([]);

  const saved = await desk.call('settings.save', { change: { baseUrl: desk.simulator.baseUrl } });
  expect(saved).toMatchObject({ ok: true, value: { needsRestart: true } });
  await desk.call('settings.apply', {});
  await desk.until(async () => (await clipStates(desk))[0] === 'uploaded', 'the upload');
  expect(await closedCodes(desk)).toEqual([]);
});

test('a key that is forgotten stops the upload under way, and another one goes on with it', async (context) => {
  const desk = await startRpcDesk(context, {
    files: { 'Gate 4/cam1.avi': 900_000 },
    settings: { upload: { maxBytesPerSecond: 100_000 } },
  });
  await desk.start();
  await desk.until(() => desk.agent.progress().bytesInFlight > 0, 'bytes on the line');
  expect(await desk.call('settings.forgetKey', {})).toEqual({
    ok: true,
    value: { isSet: false, keptIn: 'file' },
  });
  expect(desk.agent.progress().bytesInFlight).toBe(0);
  await desk.until(async () => (await closedCodes(desk)).includes('KEY_MISSING'), 'the pause');
  expect(await clipStates(desk)).toEqual(['waiting']);
  expect(await desk.simulator.objects()).toEqual([]);

  expect(await desk.call('settings.setKey', { key: CANARY_KEY })).toMatchObject({
    ok: true,
    value: { isSet: true },
  });
  expect(await desk.call('settings.get', {})).toMatchObject({ ok: true, value: { needsRestart: false } });
  await desk.until(async () => (await clipStates(desk))[0] === 'uploaded', 'the upload');
  expect(await desk.simulator.objects()).toHaveLength(1);
});
