import { appendFile, open, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { BENCH_TIMEOUT_MS } from '../../helpers/agent-bench.ts';
import { bytesSent, heldFiles, startFolderBench } from './folder-bench.ts';
import { mostlyLong } from '../../helpers/long.ts';

// Several agents run at the same time here, on machines that may be busy
vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

const clips = fileURLToPath(new URL('../../fixtures/clips/', import.meta.url));

/** Writes a file like a recorder, in equal pieces with a pause after each. */
async function writeSlowly(path: string, bytes: Buffer, pausesMs: readonly number[]): Promise<void> {
  const step = Math.ceil(bytes.length / pausesMs.length);
  const file = await open(path, 'w');
  for (const [index, pauseMs] of pausesMs.entries()) {
    await file.write(bytes, index * step, Math.min(step, bytes.length - index * step));
    await sleep(pauseMs);
  }
  await file.close();
}

mostlyLong(
  [
    { name: 'clip.mp4', fixture: 'gate-4-north.mp4', settleSeconds: 0.3 },
    { name: 'clip.mkv', fixture: 'concourse.mkv', settleSeconds: 0.3 },
    { name: 'clip.avi', fixture: 'car-park.mp4', settleSeconds: 1.2 },
  ],
  1,
  (some) =>
    test.concurrent.for(some)(
      'fault 30, input A2: never sends $name while it is still being written',
      async ({ name, fixture, settleSeconds }, context) => {
        const bench = await startFolderBench(context, {
          files: { 'Gate 4/other.avi': 1_000 },
          watch: { settleSeconds },
        });
        const bytes = await readFile(join(clips, fixture));
        await writeSlowly(join(bench.root, 'Gate 4', name), bytes, Array<number>(20).fill(125));
        expect(bytesSent(bench, 'clip')).toEqual([]);
        await bench.untilIdle();
        await bench.expectWhole({ [`Gate 4/${name}`]: 0, 'Gate 4/other.avi': 0 });
        expect(bytesSent(bench, 'clip')).toHaveLength(1);
        expect(bench.of('clip.failed')).toEqual([]);
      },
    ),
);

// The recorder pauses for longer than the settle time
mostlyLong(['clip.mp4', 'clip.mkv'], 1, (some) =>
  test.concurrent.for(some)(
    'holds %s while its container ends early, and sends it once the recorder has gone on',
    async (name, context) => {
      const bench = await startFolderBench(context);
      const bytes = await readFile(join(clips, name === 'clip.mp4' ? 'gate-4-north.mp4' : 'concourse.mkv'));
      await bench.write(`Gate 4/${name}`, bytes.subarray(0, 100_000));
      await bench.until(() => bench.of('file.held').length > 0, 'the clip that is held');
      expect(heldFiles(bench)).toEqual([`Gate 4/${name} FILE_INCOMPLETE`]);
      await bench.untilIdle();
      expect(bench.simulator.requests.all()).toEqual([]);
      await appendFile(join(bench.root, 'Gate 4', name), bytes.subarray(100_000));
      await bench.until(() => bench.of('clip.uploaded').length > 0, 'the clip');
      await bench.untilIdle();
      await bench.expectWhole({ [`Gate 4/${name}`]: 0 });
      expect(bytesSent(bench, 'clip')).toHaveLength(1);
    },
  ),
);

// Before the upload
mostlyLong(
  [
    { what: 'in one piece', name: 'clip.avi', sizeBytes: 300_000 },
    { what: 'in parts', name: 'clip.ts', sizeBytes: 6_000_000 },
    { what: 'that comes to need parts', name: 'clip.avi', sizeBytes: 5_000_000 },
  ],
  1,
  (some) =>
    test.concurrent.for(some)(
      'fault 31: a clip $what that grows again before its upload goes back and is sent once, whole',
      async ({ name, sizeBytes }, context) => {
        const bench = await startFolderBench(context);
        const hold = bench.simulator.faults.hold({ call: 'getIncident' });
        await bench.write(`Gate 4/${name}`, sizeBytes);
        await hold.arrived;
        await appendFile(join(bench.root, 'Gate 4', name), Buffer.alloc(700_000, 7));
        hold.release();
        await bench.until(() => bench.of('clip.uploaded').length > 0, 'the clip');
        await bench.untilIdle();
        await bench.expectWhole({ [`Gate 4/${name}`]: 0 });
        const whole = sizeBytes + 700_000;
        expect(bench.of('clip.uploaded')).toMatchObject([{ bytes: whole }]);
        const sent = bytesSent(bench, 'clip').reduce((sum, { bytesReceived }) => sum + bytesReceived, 0);
        expect(sent).toBe(whole);
        expect(bench.of('clip.failed')).toEqual([]);
      },
    ),
);

// After the upload; service.md gap 12
mostlyLong(
  [
    { how: 'grows', change: (path: string) => appendFile(path, Buffer.alloc(50_000, 7)) },
    { how: 'is rewritten', change: (path: string) => writeFile(path, Buffer.alloc(300_000, 9)) },
    {
      how: 'is replaced',
      change: async (path: string) => {
        await writeFile(`${path}.part`, Buffer.alloc(250_000, 5));
        await rename(`${path}.part`, path);
      },
    },
  ],
  1,
  (some) =>
    test.concurrent.for(some)(
      'fault 31: a clip that $how after its upload becomes a second generation and the first stays listed',
      async ({ change }, context) => {
        const bench = await startFolderBench(context, { files: { 'Gate 4/clip.avi': 300_000 } });
        await bench.untilIdle();
        const first = await bench.note('Gate 4/clip.avi');
        await change(join(bench.root, 'Gate 4/clip.avi'));
        await bench.until(() => bench.of('clip.uploaded').length > 1, 'the second generation');
        await bench.untilIdle();
        const second = await bench.note('Gate 4/clip.avi', 'uploaded', 2);
        await bench.expectExactly([first, second]);
        expect(first.clipId).not.toBe(second.clipId);
        expect(first.sha256).not.toBe(second.sha256);
        expect(bytesSent(bench, 'clip')).toHaveLength(2);
      },
    ),
);

// The change happened while the PC was off
test.concurrent('every further change after an upload is one more generation, over restarts', async (context) => {
  const bench = await startFolderBench(context, {
    files: { 'Gate 4/clip.avi': 300_000, 'Gate 4/other.avi': 2_000 },
  });
  await bench.untilIdle();
  const sources = [await bench.note('Gate 4/other.avi'), await bench.note('Gate 4/clip.avi')];
  for (const generation of [2, 3]) {
    await bench.stopAgent();
    await appendFile(join(bench.root, 'Gate 4/clip.avi'), Buffer.alloc(1_000, generation));
    await bench.startAgent();
    await bench.untilIdle();
    sources.push(await bench.note('Gate 4/clip.avi', 'uploaded', generation));
  }
  await bench.stopAgent();
  await bench.startAgent();
  await bench.untilIdle();
  await bench.expectExactly(sources);
  expect(bytesSent(bench, 'clip')).toHaveLength(3);
  expect(bytesSent(bench, 'other')).toHaveLength(1);
});
