import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { createCaller } from '../../../shared/ipc/caller.ts';
import { BENCH_TIMEOUT_MS, startBench } from '../../helpers/agent-bench.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

const LARGE = 2_500_000;

test('a clip is played by ranges of its source while that is there, and nothing else is', async (context) => {
  const bench = await startBench(context, { files: { 'Ramp/a.ts': LARGE } });
  await bench.untilIdle();
  const agent = bench.agent();
  const { signal } = new AbortController();
  const { call } = createCaller((request) => agent.call(request, signal));
  const { clipId } = await bench.ids('Ramp/a.ts');
  const opened = await call('uploads.openClip', { clipId });
  if (!opened.ok) throw new Error(opened.error.message);
  const ticket = opened.value.address.replace('clip/', '');
  const ask = (range: string | undefined, method = 'GET', of = ticket) =>
    agent.playClip({ ticket: of, method, range }, signal);
  const whole = await readFile(join(bench.root, 'Ramp/a.ts'));

  // Each answer is at most one piece, however much was requested; together they are the clip
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < LARGE; at += pieces.at(-1)?.length ?? LARGE) {
    const { status, headers, bytes } = await ask(`bytes=${at}-`);
    expect(status).toBe(206);
    expect(bytes?.length).toBeLessThanOrEqual(1024 * 1024);
    expect(headers['content-range']).toBe(`bytes ${at}-${at + (bytes?.length ?? 0) - 1}/${LARGE}`);
    pieces.push(bytes ?? new Uint8Array());
  }
  expect(Buffer.concat(pieces).equals(whole)).toBe(true);
  expect(Buffer.from((await ask('bytes=5-9')).bytes ?? []).equals(whole.subarray(5, 10))).toBe(true);

  for (const range of [undefined, 'bytes=9-5', `bytes=${LARGE}-`, 'bytes=-5', 'bytes=0-1,3-4', 'x'])
    expect((await ask(range)).status, range).toBe(416);
  expect((await ask('bytes=0-', 'POST')).status).toBe(405);
  for (const other of ['', clipId, '../../etc/passwd', join(bench.root, 'Ramp/a.ts')])
    expect((await ask('bytes=0-', 'GET', other)).status, other).toBe(404);
  expect(await call('uploads.openClip', { clipId: '/etc/passwd' })).toMatchObject({
    ok: false,
    error: { code: 'NOT_FOUND' },
  });

  // The queue does not know another file in its place
  await writeFile(join(bench.root, 'Ramp/a.ts'), 'another');
  expect((await ask('bytes=0-')).status).toBe(404);
  await rm(join(bench.root, 'Ramp/a.ts'));
  expect((await ask('bytes=0-')).status).toBe(404);
  expect(await call('uploads.openClip', { clipId })).toMatchObject({ error: { code: 'FILE_GONE' } });
});
