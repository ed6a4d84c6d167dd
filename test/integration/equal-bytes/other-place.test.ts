import { mkdir, rename, rm, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test, vi } from 'vitest';
import { DATABASE_FILE } from '../../../electron/agent/store/open-db.ts';
import { BENCH_TIMEOUT_MS } from '../../helpers/agent-bench.ts';
import { copiesIn, copyFolder, exportsOf, startEqualBench, type EqualBench } from './equal-bench.ts';
import { long, mostlyLong } from '../../helpers/long.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

const files = {
  'Gate 4/a.avi': 50_000,
  'Gate 4/b.avi': 60_000,
  'Ramp/c.ts': 6_000_000,
  'Ramp/d.avi': 50_000,
};

/** A late clip joins the incident of its folder, wherever the folder now is. */
async function expectLateClip(bench: EqualBench, root: string, roots = [root]): Promise<void> {
  const before = bench.listed().find(({ title }) => title === 'Gate 4');
  await bench.write(`${root}/Gate 4/late.avi`, 7_000);
  await bench.runOnce({ roots });
  const after = bench.listed().find(({ id }) => id === before?.id);
  expect(after?.ids).toHaveLength((before?.ids.length ?? 0) + 1);
}

// service.md gaps 11 and 12
mostlyLong<{ what: string; move: (bench: EqualBench) => Promise<unknown>; root: string }>(
  [
    {
      what: 'was renamed, with the setting following',
      move: (bench) => rename(bench.at('exports'), bench.at('moved')),
      root: 'moved',
    },
    {
      what: 'is reached through a link in a parent, with the setting following',
      async move(bench) {
        await mkdir(bench.at('disk'));
        await rename(bench.at('exports'), bench.at('disk/exports'));
        await symlink(bench.at('disk'), bench.at('mount'));
      },
      root: 'mount/exports',
    },
    {
      what: 'is spelled otherwise',
      async move(bench) {
        await symlink(bench.at('.'), bench.at('again'));
      },
      root: 'again/exports',
    },
    {
      what: 'was copied to a new disk, with the setting following and the old disk away',
      async move(bench) {
        await copyFolder(bench.at('exports'), bench.at('new'));
        await rm(bench.at('exports'), { recursive: true });
      },
      root: 'new',
    },
    {
      what: 'was copied to a new disk without its times, with the old disk still there',
      move: (bench) => copyFolder(bench.at('exports'), bench.at('new'), false),
      root: 'new',
    },
    {
      what: 'was restored from a backup',
      async move(bench) {
        await copyFolder(bench.at('exports'), bench.at('backup'));
        await rm(bench.at('exports'), { recursive: true });
        await copyFolder(bench.at('backup'), bench.at('exports'));
      },
      root: 'exports',
    },
  ],
  1,
  (some) =>
    test.concurrent.for(some)('a root that $what is not sent again', async ({ move, root }, context) => {
      const bench = await startEqualBench(context, files);
      await bench.runOnce();
      const before = await bench.standing();
      expect(before.objects).toBe(4);
      await move(bench);
      await bench.runOnce({ roots: [root] });
      expect(await bench.standing()).toEqual(before);
      await expectLateClip(bench, root);
      expect(bench.listed()).toHaveLength(2);
    }),
);

test.concurrent(
  'single exports that were restored from a backup are not sent again',
  long(),
  async (context) => {
    const bench = await startEqualBench(context, files);
    await bench.runOnce();
    const before = await bench.standing();
    const desk = await bench.start();
    await desk.settle();
    await rename(bench.at('exports/Gate 4'), bench.at('backup'));
    await bench.write('exports/Ramp/meanwhile.avi', 5_000);
    await bench.until(() => desk.of('clip.uploaded').length === 1, 'a clip of another folder');
    await copyFolder(bench.at('backup'), bench.at('exports/Gate 4'));
    await bench.write('exports/Gate 4/late.avi', 7_000);
    await bench.until(() => desk.of('clip.uploaded').length === 2, 'the late clip');
    await desk.settle();
    await desk.stop();
    expect(bench.listed()).toHaveLength(2);
    expect(await bench.objects()).toBe(before.objects + 2);
  },
);

test.concurrent('an export that was renamed is not sent again', long(), async (context) => {
  const bench = await startEqualBench(context, files);
  await bench.runOnce();
  const before = bench.listed().map(({ id, ids }) => ({ id, ids }));
  await rename(bench.at('exports/Gate 4'), bench.at('exports/Gate 5'));
  await bench.runOnce();
  expect(bench.listed().map(({ id, ids }) => ({ id, ids }))).toEqual(before);
  expect(await bench.objects()).toBe(4);
});

test.concurrent('a copied export is no incident, and is not read again after a restart', async (context) => {
  const bench = await startEqualBench(context, files);
  await bench.runOnce();
  const before = await bench.standing();
  await copyFolder(bench.at('exports/Gate 4'), bench.at('exports/Gate 4, copy'));
  expect(copiesIn(await bench.runOnce())).toEqual([
    'Gate 4, copy: This export is a copy of the incident "Gate 4". Nothing is sent twice.',
  ]);
  expect(await bench.standing()).toEqual(before);
  expect(await bench.runOnce()).toEqual([]);
});

test.concurrent(
  'a copied root beside the first one is no second set of incidents',
  long(),
  async (context) => {
    const bench = await startEqualBench(context, files);
    await bench.runOnce();
    const before = await bench.standing();
    await copyFolder(bench.at('exports'), bench.at('second'));
    const said = copiesIn(await bench.runOnce({ roots: ['exports', 'second'] }));
    expect(said.map((message) => message.split(':')[0]).toSorted()).toEqual(['Gate 4', 'Ramp']);
    expect(await bench.standing()).toEqual(before);
  },
);

test.concurrent('a copy that holds one clip more sends that clip alone', long(), async (context) => {
  const bench = await startEqualBench(context, files);
  await bench.runOnce();
  await copyFolder(bench.at('exports/Gate 4'), bench.at('exports/Gate 4, more'));
  await bench.write('exports/Gate 4, more/new.avi', 9_000);
  const said = copiesIn(await bench.runOnce());
  expect(said).toEqual([
    'Gate 4, more: 2 clips were already sent with the incident "Gate 4" and are listed there. Nothing is sent twice.',
  ]);
  const added = bench.listed().find(({ title }) => title === 'Gate 4, more');
  expect(added?.ids).toHaveLength(1);
  expect(await bench.objects()).toBe(5);
  expect(bench.listed()).toHaveLength(3);
});

// Recorders cut blocks longer than an incident: two exports may hold the same one, and desks clean up the first
test.concurrent('an export that shares a clip with one that was removed is an incident of its own', async (context) => {
  const bench = await startEqualBench(context, { 'Theft/ch01.avi': 50_000 });
  await bench.runOnce();
  await rename(bench.at('exports/Theft/ch01.avi'), bench.at('block'));
  await rm(bench.at('exports/Theft'), { recursive: true });
  await bench.write('exports/Assault/ch02.avi', 60_000);
  await rename(bench.at('block'), bench.at('exports/Assault/ch01.avi'));
  expect(copiesIn(await bench.runOnce())).toEqual([
    'Assault: 1 clip was already sent with the incident "Theft" and is listed there. Nothing is sent twice.',
  ]);
  const counts = bench.listed().map(({ title, ids }) => `${title} ${ids.length}`);
  expect(counts.toSorted()).toEqual(['Assault 1', 'Theft 1']);
  expect(await bench.objects()).toBe(2);
});

test.concurrent('fault 34: a folder that moved from one watched root to another stays its incident', async (context) => {
  const bench = await startEqualBench(context, files);
  await mkdir(bench.at('second'));
  const roots = ['exports', 'second'];
  await bench.runOnce({ roots });
  const before = await bench.standing();
  await rename(bench.at('exports/Gate 4'), bench.at(`second/${basename('exports/Gate 4')}`));
  await bench.runOnce({ roots });
  expect(await bench.standing()).toEqual(before);
  await expectLateClip(bench, 'second', roots);
});

test.concurrent(
  'clips that wait are sent once, from where their renamed root is now',
  long(),
  async (context) => {
    const bench = await startEqualBench(context, files);
    const hold = bench.simulator.faults.hold({ call: 'getUploadUrls' });
    const desk = await bench.start();
    await hold.arrived;
    await desk.stop();
    hold.release();
    await rename(bench.at('exports'), bench.at('moved'));
    await bench.runOnce({ roots: ['moved'] });
    expect(bench.listed().map(({ ids, failed }) => [ids.length, failed])).toEqual([
      [2, 0],
      [2, 0],
    ]);
    expect(await bench.objects()).toBe(4);
  },
);

// Otherwise they wait out the old pause, and fail after six attempts while a large root is searched
test.concurrent(
  'clips that wait for their old root go on at once when it is found elsewhere',
  long(),
  async (context) => {
    const bench = await startEqualBench(context, files);
    const hold = bench.simulator.faults.hold({ call: 'getUploadUrls' });
    const before = await bench.start();
    await bench.until(() => before.agent.progress().clips === 4, 'all clips');
    await hold.arrived;
    await before.stop();
    hold.release();
    await rename(bench.at('exports'), bench.at('away'));
    const desk = await bench.start({ roots: ['moved'] });
    await bench.until(() => desk.of('root.offline').length > 0, 'a root that is away');
    await bench.until(() => desk.of('clip.retrying').length > 0, 'a clip that waits for its file');
    const queue = new Database(join(bench.dataAt('data'), DATABASE_FILE));
    context.onTestFinished(() => void queue.close());
    // As after many attempts, which no test waits for
    const parked = queue.prepare("UPDATE jobs SET due_at = due_at + 780000 WHERE state = 'waiting'");
    await bench.until(() => parked.run().changes > 0, 'a wait that is long');
    await rename(bench.at('away'), bench.at('moved'));
    await desk.settle();
    await desk.stop();
    expect(bench.listed().map(({ ids, failed }) => [ids.length, failed])).toEqual([
      [2, 0],
      [2, 0],
    ]);
  },
);

test.concurrent(
  'a folder of copies from two incidents is called a copy of neither',
  long(),
  async (context) => {
    const bench = await startEqualBench(context, files);
    await bench.runOnce();
    await copyFolder(bench.at('exports/Gate 4'), bench.at('exports/Both'));
    await copyFolder(bench.at('exports/Ramp'), bench.at('exports/Both/Ramp'));
    expect(copiesIn(await bench.runOnce())).toEqual([
      'Both: This export is a copy of earlier incidents. Nothing is sent twice.',
    ]);
    const desk = await bench.start();
    await desk.settle();
    expect(await exportsOf(desk)).toMatchObject([
      { name: 'Both', message: 'Its clips have already been sent. Nothing is sent twice.' },
    ]);
    await desk.stop();
  },
);
