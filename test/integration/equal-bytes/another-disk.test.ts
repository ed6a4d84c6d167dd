import { join, resolve } from 'node:path';
import { rename, rm } from 'node:fs/promises';
import { expect, test, vi } from 'vitest';
import { answerStoredRoot } from '../../../electron/agent/index.ts';
import { BENCH_TIMEOUT_MS } from '../../helpers/agent-bench.ts';
import { copyFolder, startEqualBench, type EqualBench } from './equal-bench.ts';
import { long } from '../../helpers/long.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

/** More clips than are compared without asking. */
const files = Object.fromEntries(
  Array.from({ length: 24 }, (_unused, index) => [`Gate ${index % 3}/${index}.avi`, 4_000 + index] as const),
);

/** Sends everything; then another disk with a copy appears at the same path. */
async function replaceDisk(bench: EqualBench) {
  await bench.runOnce();
  const before = await bench.standing();
  expect(before.objects).toBe(24);
  await rename(bench.at('exports'), bench.at('former'));
  await copyFolder(bench.at('former'), bench.at('exports'));
  return before;
}

async function expectQuestion(bench: EqualBench) {
  const desk = await bench.start();
  await bench.until(() => desk.of('root.waiting').length > 0, 'the question');
  expect(desk.of('root.waiting')).toMatchObject([{ code: 'ROOT_DIFFERENT', root: bench.at('exports') }]);
  return desk;
}

// service.md gap 12
test.concurrent('fault 43, input B10: another disk with many files that were sent waits for a person, also after a restart', async (context) => {
  const bench = await startEqualBench(context, files);
  const before = await replaceDisk(bench);
  for (let life = 0; life < 2; life += 1) {
    const desk = await expectQuestion(bench);
    await desk.settle();
    const health = await desk.call('health.get', {});
    expect(health).toMatchObject({
      ok: true,
      value: {
        roots: [{ failure: { code: 'ROOT_DIFFERENT', advice: expect.stringContaining('--adopt') } }],
      },
    });
    // Each export shows it too in the list of exports
    expect(await desk.call('uploads.listExports', { offset: 0, limit: 10 })).toMatchObject({
      ok: true,
      value: {
        counts: { held: 3 },
        rows: [
          {
            message: expect.stringContaining('is new or was replaced'),
            facts: { rootAsked: bench.at('exports') },
          },
          {},
          {},
        ],
      },
    });
    await desk.stop();
    expect(await bench.standing()).toEqual(before);
  }
});

test.concurrent('what a person adopts stays what it was, and what comes later is sent', async (context) => {
  const bench = await startEqualBench(context, files);
  const before = await replaceDisk(bench);
  const desk = await expectQuestion(bench);
  const answer = { folder: bench.at('exports'), answer: 'adopt' } as const;
  expect(await desk.call('uploads.answerRoot', answer)).toEqual({ ok: true, value: { answered: true } });
  expect(await desk.call('uploads.answerRoot', answer)).toEqual({ ok: true, value: { answered: false } });
  await bench.write('exports/Gate 1/late.avi', 9_000);
  await bench.until(() => desk.of('clip.uploaded').length === 1, 'the late clip');
  await desk.settle();
  // The late clip does not wait until each of the others was judged again
  await context.expect
    .poll(() => desk.call('uploads.listExports', { offset: 0, limit: 10 }))
    .toMatchObject({ ok: true, value: { total: 0 } });
  await desk.stop();
  expect(await bench.objects()).toBe(before.objects + 1);
  expect(bench.listed().map(({ id }) => id)).toEqual(before.listed.map(({ id }) => id));
  const later = (await bench.runOnce()).map(({ event }) => event);
  expect(later.filter((event) => event !== 'incident.synced' && event !== 'export.state')).toEqual([]);
});

test.concurrent('what a person sends as new becomes incidents of its own', long(), async (context) => {
  const bench = await startEqualBench(context, files);
  const before = await replaceDisk(bench);
  const desk = await expectQuestion(bench);
  const { dataDir, folder } = { dataDir: bench.dataAt('data'), folder: resolve(bench.at('exports')) };
  expect(await answerStoredRoot(dataDir, join(folder, 'other'), 'send')).toMatchObject({ ok: false });
  expect(await answerStoredRoot(dataDir, folder, 'send')).toMatchObject({ ok: true });
  await bench.until(() => desk.of('clip.uploaded').length === 24, 'all clips');
  await desk.settle();
  await desk.stop();
  expect(bench.listed()).toHaveLength(2 * before.listed.length);
  expect(await bench.objects()).toBe(2 * before.objects);
});

test.concurrent('a root with many files that was only renamed asks nobody', async (context) => {
  const bench = await startEqualBench(context, files);
  await bench.runOnce();
  const before = await bench.standing();
  await rename(bench.at('exports'), bench.at('moved'));
  const events = await bench.runOnce({ roots: ['moved'] });
  expect(events.filter(({ event }) => event === 'root.waiting')).toEqual([]);
  expect(await bench.standing()).toEqual(before);
});

test.concurrent('another disk with other evidence asks nobody and is sent', long(), async (context) => {
  const bench = await startEqualBench(context, files);
  await bench.runOnce();
  await rm(bench.at('exports'), { recursive: true });
  for (const [path, size] of Object.entries(files)) await bench.write(`exports/${path}`, size + 100);
  const events = await bench.runOnce();
  expect(events.filter(({ event }) => event === 'root.waiting')).toEqual([]);
  expect(await bench.objects()).toBe(48);
});
