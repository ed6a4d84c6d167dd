import Database from 'better-sqlite3';
import { chmod, rename, rm, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { DATABASE_FILE } from '../../../electron/agent/store/open-db.ts';
import { BENCH_TIMEOUT_MS } from '../../helpers/agent-bench.ts';
import { noise } from '../../helpers/bench-files.ts';
import {
  copyFolder,
  replaceByEqual,
  setTime,
  startEqualBench,
  timeOf,
  type EqualBench,
} from './equal-bench.ts';
import { long, mostlyLong } from '../../helpers/long.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

const files = {
  'Gate 4/a.avi': 50_000,
  'Gate 4/a.jpg': readFileSync(new URL('../../fixtures/clips/gate-4-north.jpg', import.meta.url)),
  'Gate 4/b.avi': 60_000,
  'Gate 4/c.ts': 6_000_000,
};
const paths = Object.keys(files).map((path) => `exports/${path}`);

async function forEachFile(bench: EqualBench, change: (path: string) => Promise<unknown>): Promise<void> {
  for (const path of paths) await change(bench.at(path));
}

// service.md gap 12: the SHA-256 that was sent decides
mostlyLong(
  [
    { what: 'touched', change: async (path: string) => setTime(path, Date.now() / 1000) },
    {
      what: 're-timed by an hour, as FAT does when the clocks change',
      change: async (path: string) => setTime(path, (await timeOf(path)) / 1000 + 3600),
    },
    {
      what: 'cut to whole seconds, as another NAS does',
      change: async (path: string) => setTime(path, Math.floor((await timeOf(path)) / 1000)),
    },
    { what: 'replaced by equal files', change: replaceByEqual },
  ],
  2,
  (some) =>
    test.concurrent.for(some)('clips that were $what are not sent again', async ({ change }, context) => {
      const bench = await startEqualBench(context, files);
      await bench.runOnce();
      const before = await bench.standing();
      expect(before.objects).toBe(4);
      await forEachFile(bench, change);
      await bench.runOnce();
      expect(await bench.standing()).toEqual(before);
      // Another run makes no further request
      const told = bench.simulator.requests.all().length;
      await bench.runOnce();
      expect(bench.simulator.requests.all()).toHaveLength(told);
    }),
);

test.concurrent('clips that were renamed stay the clips that they were', async (context) => {
  const bench = await startEqualBench(context, files);
  await bench.runOnce();
  const before = await bench.standing();
  await rename(bench.at('exports/Gate 4/a.avi'), bench.at('exports/Gate 4/first.avi'));
  await rename(bench.at('exports/Gate 4/c.ts'), bench.at('exports/Gate 4/third.ts'));
  await bench.runOnce();
  expect(await bench.standing()).toEqual(before);
  // The first name can be used by another clip, which gets its own ID
  await bench.write('exports/Gate 4/a.avi', 70_000);
  await bench.runOnce();
  const [incident] = bench.listed();
  expect(incident?.keys).toHaveLength(4);
  expect(new Set(incident?.ids).size).toBe(4);
  expect(await bench.objects()).toBe(5);
});

test.concurrent(
  'clips that changed names with each other stay the clips that they were',
  long(),
  async (context) => {
    const bench = await startEqualBench(context, files);
    await bench.runOnce();
    const before = await bench.standing();
    await rename(bench.at('exports/Gate 4/a.avi'), bench.at('swap'));
    await rename(bench.at('exports/Gate 4/b.avi'), bench.at('exports/Gate 4/a.avi'));
    await rename(bench.at('swap'), bench.at('exports/Gate 4/b.avi'));
    await bench.runOnce();
    expect(await bench.standing()).toEqual(before);
  },
);

test.concurrent(
  'a clip that changed and was put back as it was is not sent a third time',
  long(),
  async (context) => {
    const bench = await startEqualBench(context, files);
    await bench.runOnce();
    await rename(bench.at('exports/Gate 4/a.avi'), bench.at('kept'));
    await bench.write('exports/Gate 4/a.avi', 50_000);
    await bench.runOnce();
    const before = await bench.standing();
    expect(before.objects).toBe(5);
    await rm(bench.at('exports/Gate 4/a.avi'));
    await rename(bench.at('kept'), bench.at('exports/Gate 4/a.avi'));
    await setTime(bench.at('exports/Gate 4/a.avi'), Date.now() / 1000);
    await bench.runOnce();
    expect(await bench.standing()).toEqual(before);
  },
);

// The service lists each storage key once
test.concurrent('copies of clips beside them are neither sent nor listed, said once, and stay in the account of their folder', async (context) => {
  const bench = await startEqualBench(context, files);
  await bench.runOnce();
  const before = await bench.standing();
  await copyFolder(bench.at('exports/Gate 4'), bench.at('exports/Gate 4/again'));
  const desk = await bench.start();
  await desk.settle();
  expect(desk.of('warning')).toMatchObject([
    {
      code: 'EXPORT_COPY',
      message: expect.stringContaining('3 clips were already sent with the incident'),
    },
  ]);
  const [incident] = bench.listed();
  const told = await desk.call('uploads.getIncident', { incidentId: incident?.id ?? '' });
  expect(told).toMatchObject({
    ok: true,
    value: {
      files: {
        counts: { clip: 3, copy: 3, picture: 2 },
        named: ['a.avi', 'b.avi', 'c.ts'].map((name) => ({
          path: `again/${name}`,
          class: 'copy',
          why: `identical to "${name}", which was sent, so it is not sent again`,
        })),
      },
    },
  });
  await desk.stop();
  expect(await bench.standing()).toEqual(before);
  // Each start reports again that the export settles
  expect((await bench.runOnce()).filter(({ event }) => event !== 'export.state')).toEqual([]);
});

test.concurrent('fault 33: a clip of the same size and other bytes is sent', async (context) => {
  const bench = await startEqualBench(context, files);
  await bench.runOnce();
  await bench.write('exports/Gate 4/a.avi', 50_000);
  await bench.write('exports/Gate 4/more.avi', 50_000);
  await bench.runOnce();
  expect(await bench.objects()).toBe(6);
  expect(bench.listed()[0]?.keys).toHaveLength(5);
});

/** The time that a recorder without a clock gives all its files, and that a copy keeps. */
const NO_CLOCK = Date.parse('1980-01-01T00:00:00Z') / 1000;

/** As if the disk had had another device number when its clips were found. */
function renumberDevices(bench: EqualBench): void {
  const queue = new Database(join(bench.dataAt('data'), DATABASE_FILE));
  queue.exec("UPDATE clips SET device = '7'");
  queue.close();
}

// Such recorders also write blocks of one size, so size and time do not show whether a file has changed
mostlyLong(
  [
    { how: 'another file under its name', isInPlace: false, isRemounted: false },
    { how: 'other bytes in the same file', isInPlace: true, isRemounted: false },
    { how: 'other bytes, on a share that was remounted', isInPlace: true, isRemounted: true },
  ],
  2,
  (some) =>
    test.concurrent.for(some)(
      'a clip of the same size and time of 1980 is sent: $how',
      async ({ isInPlace, isRemounted }, context) => {
        const path = 'exports/SD card/hiv00000.avi';
        const bench = await startEqualBench(context, { 'SD card/hiv00000.avi': 50_000 });
        await setTime(bench.at(path), NO_CLOCK);
        await bench.runOnce();
        if (isRemounted) renumberDevices(bench);
        if (isInPlace) await writeFile(bench.at(path), noise(50_000));
        else await bench.write(path, 50_000);
        await setTime(bench.at(path), NO_CLOCK);
        await bench.runOnce();
        expect(await bench.objects()).toBe(2);
        expect(bench.listed()[0]?.keys).toHaveLength(2);
        // Other permissions do not change the bytes, and are examined only once
        const before = await bench.standing();
        await chmod(bench.at(path), 0o640);
        await bench.runOnce();
        const told = bench.simulator.requests.all().length;
        await bench.runOnce();
        expect(await bench.standing()).toEqual(before);
        expect(bench.simulator.requests.all()).toHaveLength(told);
      },
    ),
);

test.concurrent(
  'a copy that was overwritten with the same size and a time of 1980 is sent',
  long(),
  async (context) => {
    const bench = await startEqualBench(context, { 'SD card/hiv00000.avi': 50_000 });
    await setTime(bench.at('exports/SD card/hiv00000.avi'), NO_CLOCK);
    await bench.runOnce();
    await copyFolder(bench.at('exports/SD card'), bench.at('exports/SD card 2'));
    await bench.runOnce();
    expect(await bench.objects()).toBe(1);
    const copy = bench.at('exports/SD card 2/hiv00000.avi');
    await writeFile(copy, noise(50_000));
    await setTime(copy, NO_CLOCK);
    await bench.runOnce();
    expect(await bench.objects()).toBe(2);
  },
);

// Files found earlier have the former device's number until they are looked at again
test.concurrent('a clip that replaces another on a remounted share is sent', long(), async (context) => {
  const path = 'exports/Gate 4/a.avi';
  const bench = await startEqualBench(context, { 'Gate 4/a.avi': 50_000 });
  const time = Math.floor((await timeOf(bench.at(path))) / 1000);
  await setTime(bench.at(path), time);
  await bench.runOnce();
  renumberDevices(bench);
  await bench.write('exports/Gate 4/b.avi', 60_000);
  await bench.runOnce();
  await bench.write(path, 50_000);
  await setTime(bench.at(path), time);
  await bench.runOnce();
  expect(await bench.objects()).toBe(3);
});

test.concurrent('a running desk follows a touched and a renamed clip', async (context) => {
  const bench = await startEqualBench(context, files);
  const desk = await bench.start();
  await desk.settle();
  const before = await bench.standing();
  await setTime(bench.at('exports/Gate 4/a.avi'), Date.now() / 1000 - 100);
  await rename(bench.at('exports/Gate 4/b.avi'), bench.at('exports/Gate 4/second.avi'));
  await bench.until(async () => {
    const page = await desk.call('uploads.listClips', {});
    return page.ok && JSON.stringify(page.value).includes('second.avi');
  }, 'the new name');
  // New clips are still sent
  await writeFile(bench.at('exports/Gate 4/new.avi'), 'RIFF and so on');
  await bench.until(() => desk.of('clip.uploaded').length === 4, 'the new clip');
  await desk.settle();
  await desk.stop();
  expect(await bench.objects()).toBe(before.objects + 1);
});
