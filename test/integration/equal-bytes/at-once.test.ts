import { copyFile } from 'node:fs/promises';
import { expect, test, vi } from 'vitest';
import { BENCH_TIMEOUT_MS } from '../../helpers/agent-bench.ts';
import {
  copiesIn,
  copyFolder,
  exportsOf,
  startEqualBench,
  type EqualBench,
  type EqualDesk,
} from './equal-bench.ts';
import { long, mostlyLong } from '../../helpers/long.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

const files = {
  'Gate 4/a.avi': 50_000,
  'Gate 4/b.avi': 60_000,
  'Ramp/c.ts': 6_000_000,
  'Ramp/d.avi': 50_000,
};

/** "Gate 4" waits to be sent, and so does everything written into its copy. */
async function startWithWaitingCopy(bench: EqualBench): Promise<EqualDesk> {
  const desk = await bench.start();
  await desk.call('uploads.pause', { target: { kind: 'all' } });
  await bench.write('exports/Gate 4/a.avi', 50_000);
  await bench.write('exports/Gate 4/b.ts', 6_000_000);
  await desk.settle();
  await copyFolder(bench.at('exports/Gate 4'), bench.at('exports/Copy'), false);
  await bench.until(async () => (await exportsOf(desk)).some(({ state }) => state === 'copy'), 'the copy');
  return desk;
}

test.concurrent('a copy of what waits to be sent is not sent as well', async (context) => {
  const bench = await startEqualBench(context);
  const desk = await startWithWaitingCopy(bench);
  expect(await exportsOf(desk)).toMatchObject([
    { name: 'Copy', message: expect.stringContaining('"Gate 4" has the same clips, but not all') },
  ]);
  await desk.call('uploads.resume', { target: { kind: 'all' } });
  await bench.until(
    async () => (await exportsOf(desk))[0]?.message.includes('have already been sent'),
    'its end',
  );
  await desk.settle();
  await desk.stop();
  expect(await bench.objects()).toBe(2);
  expect(bench.listed()).toMatchObject([{ title: 'Gate 4' }]);
});

test.concurrent('a copy of what was then cancelled is sent itself', long(), async (context) => {
  const bench = await startEqualBench(context);
  const desk = await startWithWaitingCopy(bench);
  const { id: incidentId } = bench.listed()[0] ?? { id: '' };
  await desk.call('uploads.cancel', { target: { kind: 'incident', incidentId } });
  await desk.call('uploads.resume', { target: { kind: 'all' } });
  await bench.until(() => desk.of('clip.uploaded').length === 2, 'the clips of the copy');
  await desk.settle();
  await desk.stop();
  expect(await bench.objects()).toBe(2);
  expect(bench.listed().find(({ title }) => title === 'Copy')).toMatchObject({ failed: 0 });
});

test.concurrent('two equal folders that come at once are one incident', long(), async (context) => {
  const bench = await startEqualBench(context, files);
  await copyFolder(bench.at('exports/Gate 4'), bench.at('exports/Gate 4 again'));
  const desk = await bench.start();
  await bench.until(
    async () => (await exportsOf(desk))[0]?.message.includes('have already been sent'),
    'its end',
  );
  await desk.settle();
  await desk.stop();
  expect(bench.listed()).toHaveLength(2);
  expect(await bench.objects()).toBe(4);
});

test.concurrent(
  'a copy that came with its original is told as one before a run ends',
  long(),
  async (context) => {
    const bench = await startEqualBench(context, files);
    await copyFolder(bench.at('exports/Gate 4'), bench.at('exports/Gate 4 again'));
    const events = await bench.runOnce();
    expect(events.flatMap((event) => (event.event === 'warning' ? event.code : []))).toEqual(['EXPORT_COPY']);
    expect(await bench.objects()).toBe(4);
  },
);

// service.md gap 12: of equal clips in two exports the second is a copy; in one export both are sent
mostlyLong(
  [
    { what: 'one folder are two clips', to: 'Gate 4/again.avi', objects: 5 },
    { what: 'two folders that hold other clips as well are sent once', to: 'Ramp/a.avi', objects: 4 },
  ],
  1,
  (some) =>
    test.concurrent.for(some)('equal clips that come at once in $what', async ({ to, objects }, context) => {
      const bench = await startEqualBench(context);
      const desk = await bench.start();
      await desk.call('uploads.pause', { target: { kind: 'all' } });
      for (const [path, spec] of Object.entries(files)) await bench.write(`exports/${path}`, spec);
      await copyFile(bench.at('exports/Gate 4/a.avi'), bench.at(`exports/${to}`));
      await bench.until(() => bench.listed().length === 2, 'both incidents');
      await desk.settle();
      await desk.call('uploads.resume', { target: { kind: 'all' } });
      await desk.settle();
      await desk.stop();
      expect(await bench.objects()).toBe(objects);
      expect(bench.listed().flatMap(({ keys }) => keys)).toHaveLength(objects);
      // Another run finds nothing to do
      expect(copiesIn(await bench.runOnce())).toEqual([]);
      expect(await bench.objects()).toBe(objects);
    }),
);

test.concurrent('a clip whose bytes wait elsewhere says so, and is sent when those cannot be', async (context) => {
  const bench = await startEqualBench(context);
  const desk = await bench.start();
  await desk.call('uploads.pause', { target: { kind: 'all' } });
  await bench.write('exports/Gate 4/a.avi', 50_000);
  await desk.settle();
  await bench.write('exports/Ramp/c.avi', 60_000);
  await copyFile(bench.at('exports/Gate 4/a.avi'), bench.at('exports/Ramp/a.avi'));
  await desk.settle();
  const [gate, ramp] = ['Gate 4', 'Ramp'].map((name) => bench.listed().find(({ title }) => title === name));
  const told = async (): Promise<string> =>
    JSON.stringify(await desk.call('uploads.getIncident', { incidentId: ramp?.id ?? '' }));
  await bench.until(
    async () => (await told()).includes('a.avi\\" in the incident \\"Gate 4\\", which is queued'),
    'what the clip waits for',
  );
  await desk.call('uploads.cancel', { target: { kind: 'incident', incidentId: gate?.id ?? '' } });
  await desk.call('uploads.resume', { target: { kind: 'all' } });
  await bench.until(() => desk.of('clip.uploaded').length === 2, 'both clips');
  await desk.settle();
  await desk.stop();
  expect(await bench.objects()).toBe(2);
  expect(bench.listed().find(({ title }) => title === 'Ramp')?.keys).toHaveLength(2);
});
