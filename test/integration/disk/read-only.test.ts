import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { BENCH_TIMEOUT_MS, startBench } from '../../helpers/agent-bench.ts';
import { mountSmallDisk, noSmallDisk } from '../../helpers/small-disk.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

const files = { 'Gate 1/a.ts': 100_000 };
const later = { 'Gate 2/a.ts': 50_000 };

test.skipIf(noSmallDisk !== undefined)(
  `fault 25: a start on a read-only data directory is refused by name, and works once it may be written (${noSmallDisk ?? 'tmpfs'})`,
  async (context) => {
    const disk = mountSmallDisk(context, 16);
    const dataDir = join(disk.folder, 'data');
    const remount = (how: 'ro' | 'rw') => execFileSync('mount', ['-o', `remount,${how}`, disk.folder]);
    const bench = await startBench(context, { files, dataDir });
    await bench.untilIdle();
    await bench.stopAgent();
    await bench.write('Gate 2/a.ts', later['Gate 2/a.ts']);
    remount('ro');
    const refusal = await bench.startAgent().catch((error: unknown) => error);
    expect(refusal).toMatchObject({
      failure: { code: 'DATA_FOLDER', message: expect.stringContaining(dataDir) },
    });
    await bench.stopAgent();
    remount('rw');
    await bench.startAgent();
    await bench.untilIdle();
    await bench.expectWhole({ files: { ...files, ...later } });
  },
);
