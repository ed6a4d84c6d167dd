import { mkdir, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { BENCH_TIMEOUT_MS, startBench } from '../../helpers/agent-bench.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

const files = { 'Ramp/a.ts': 40_000, 'Ramp/b.ts': 40_000, 'Pier/c.ts': 40_000 };

test('input G5, input G6: a clip is located by its id while it is a file of its export, and by nothing else', async (context) => {
  const bench = await startBench(context, { files });
  await bench.untilIdle();
  const ids = new Map(
    await Promise.all(
      Object.keys(files).map(async (path) => [path, (await bench.ids(path)).clipId] as const),
    ),
  );
  const agent = bench.agent();
  const locate = (path: keyof typeof files) => agent.locateClip(ids.get(path) ?? path);
  expect(await locate('Ramp/a.ts')).toEqual({ ok: true, value: join(bench.root, 'Ramp', 'a.ts') });
  for (const id of ['', '..', '/etc/passwd', join(bench.root, 'Ramp', 'a.ts')])
    expect(await agent.locateClip(id)).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } });

  await rm(join(bench.root, 'Ramp', 'a.ts'));
  expect(await locate('Ramp/a.ts')).toMatchObject({ ok: false, error: { code: 'FILE_GONE' } });

  const elsewhere = `${bench.root}-elsewhere`;
  await mkdir(elsewhere);
  await rename(join(bench.root, 'Ramp', 'b.ts'), join(elsewhere, 'b.ts'));
  await symlink(join(elsewhere, 'b.ts'), join(bench.root, 'Ramp', 'b.ts'));
  expect(await locate('Ramp/b.ts')).toMatchObject({ ok: false, error: { code: 'FILE_LINK' } });

  await rename(join(bench.root, 'Pier'), join(elsewhere, 'Pier'));
  await symlink(join(elsewhere, 'Pier'), join(bench.root, 'Pier'));
  expect(await locate('Pier/c.ts')).toMatchObject({ ok: false, error: { code: 'FILE_LINK' } });

  await rename(bench.root, `${bench.root}-away`);
  expect(await locate('Ramp/a.ts')).toMatchObject({ ok: false, error: { code: 'ROOT_OFFLINE' } });
  await agent.stop();
  expect(await locate('Ramp/a.ts')).toMatchObject({ ok: false, error: { code: 'CALL_FAULT' } });
});
