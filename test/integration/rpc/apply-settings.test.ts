import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { BENCH_TIMEOUT_MS } from '../../helpers/agent-bench.ts';
import { startRpcDesk } from './rpc-desk.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

test('saved settings count after they were applied, and the queue is the same as before', async (context) => {
  const desk = await startRpcDesk(context, { files: { 'Gate 4/cam1.avi': 300_000 } });
  await desk.startAndSettle();
  const before = await desk.call('uploads.listClips', {});
  const saved = await desk.call('settings.save', { change: { users: { updateMethod: 'PUT' } } });
  expect(saved).toMatchObject({ ok: true, value: { needsRestart: true } });
  expect(await desk.call('settings.apply', {})).toEqual({ ok: true, value: {} });
  await desk.until(async () => {
    const view = await desk.call('settings.get', {});
    return view.ok && !view.value.needsRestart;
  }, 'the new settings');
  expect(await desk.call('uploads.listClips', {})).toEqual(before);
});

test('input F11: settings that the agent cannot start with leave the previous ones in force, and are reported', async (context) => {
  const desk = await startRpcDesk(context, { files: { 'Gate 4/cam1.avi': 300_000 } });
  await desk.startAndSettle();
  // Someone edits the file by hand; the data directory itself cannot be watched
  const config = { baseUrl: desk.simulator.baseUrl, watch: [{ path: desk.dataDir }] };
  await writeFile(desk.settingsFile, JSON.stringify(config));
  expect(await desk.call('settings.apply', {})).toEqual({ ok: true, value: {} });
  await desk.until(
    () => desk.heard('notice').some(({ message }) => message.includes('previous ones stay in effect')),
    'the warning',
  );
  const clips = await desk.call('uploads.listClips', {});
  expect(clips).toMatchObject({ ok: true, value: { total: 1 } });
});

test('a file that cannot be read is refused before anything stops', async (context) => {
  const desk = await startRpcDesk(context);
  await desk.startAndSettle();
  await rm(join(desk.settingsFile));
  expect(await desk.call('settings.apply', {})).toMatchObject({
    ok: false,
    error: { code: 'CONFIG_MISSING' },
  });
  expect(await desk.call('health.get', {})).toMatchObject({ ok: true });
});
