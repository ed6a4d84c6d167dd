import { rm, writeFile } from 'node:fs/promises';
import { expect, test, vi } from 'vitest';
import { BENCH_TIMEOUT_MS } from '../../helpers/agent-bench.ts';
import { copyFolder, exportsOf, startEqualBench } from './equal-bench.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

const files = { 'Gate 4/a.avi': 50_000, 'Gate 4/b.avi': 60_000 };

test.concurrent('a folder that is only a copy stays visible, over a restart, until it is gone', async (context) => {
  const bench = await startEqualBench(context, files);
  await bench.runOnce();
  const before = await bench.standing();
  await copyFolder(bench.at('exports/Gate 4'), bench.at('exports/Gate 4 for the police'));
  for (const _start of ['first', 'second']) {
    const desk = await bench.start();
    await desk.settle();
    expect(await exportsOf(desk)).toMatchObject([
      {
        name: 'Gate 4 for the police',
        state: 'copy',
        message: 'Its clips have already been sent with the incident "Gate 4". Nothing is sent twice.',
        facts: { files: 2, sizeBytes: 110_000 },
      },
    ]);
    await desk.stop();
  }
  await rm(bench.at('exports/Gate 4 for the police'), { recursive: true });
  const desk = await bench.start();
  await bench.until(async () => (await exportsOf(desk)).length === 0);
  await desk.stop();
  expect(await bench.standing()).toEqual(before);
});

/** Further files in the copy; names are bytes, since one is not valid UTF-8. */
const held = [
  { what: 'is empty', name: Buffer.from('empty.avi'), sizeBytes: 0 },
  { what: 'is an unfinished copy', name: Buffer.from('c.avi.part'), sizeBytes: 5_000 },
  { what: 'has a name that cannot be read', name: Buffer.from('c\xff.avi', 'latin1'), sizeBytes: 5_000 },
].filter(({ name }) => process.platform === 'linux' || !name.includes(0xff));

test.concurrent.for(held)(
  'a folder is no copy as long as a file of it is held back, which $what',
  async ({ name, sizeBytes }, context) => {
    const bench = await startEqualBench(context, files);
    await bench.runOnce();
    const { objects } = await bench.standing();
    await copyFolder(bench.at('exports/Gate 4'), bench.at('exports/Gate 5'));
    const file = Buffer.concat([Buffer.from(bench.at('exports/Gate 5/')), name]);
    await writeFile(file, Buffer.alloc(sizeBytes, 1));
    const desk = await bench.start();
    await bench.until(async () => (await exportsOf(desk)).length > 0, 'the folder');
    await desk.settle();
    expect(await exportsOf(desk)).toMatchObject([{ name: 'Gate 5', state: 'held' }]);
    await rm(file);
    await bench.until(async () => (await exportsOf(desk))[0]?.state === 'copy', 'the copy');
    await desk.stop();
    expect(await bench.objects()).toBe(objects);
  },
);

test.concurrent('a copy with a file that is not recognised is not called one to remove', async (context) => {
  const bench = await startEqualBench(context, files);
  await bench.runOnce();
  await copyFolder(bench.at('exports/Gate 4'), bench.at('exports/Gate 5'));
  await bench.write('exports/Gate 5/camera 2.vid9', 5_000);
  const desk = await bench.start();
  await bench.until(async () => (await exportsOf(desk))[0]?.state === 'copy', 'the copy');
  expect(await exportsOf(desk)).toMatchObject([
    {
      state: 'copy',
      message:
        'Its clips have already been sent with the incident "Gate 4". Nothing is sent twice. 1 other file in it was not recognised and not sent.',
      advice: 'Check that file before you remove the copy.',
    },
  ]);
  await rm(bench.at('exports/Gate 5/camera 2.vid9'));
  await bench.until(
    async () => (await exportsOf(desk))[0]?.advice === 'Nothing to do. You can remove the copy.',
    'a copy of clips alone',
  );
  await desk.stop();
});
