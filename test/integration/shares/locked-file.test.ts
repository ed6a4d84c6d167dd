import { expect, test } from 'vitest';
import { BENCH_TIMEOUT_MS, startBench } from '../../helpers/agent-bench.ts';
import { createFaultZone, faultyThreads } from '../../helpers/file-faults.ts';
import { createSkipClock } from '../../helpers/skip-clock.ts';

// Linux has no locks that block a reader, so the errors are built as Node builds them on Windows
test.for([
  { name: 'EBUSY', errno: 16, code: 'FILE_LOCKED' },
  { name: 'EPERM', errno: 1, code: 'FILE_NO_ACCESS' },
])(
  'fault 40, input A15: a clip that another program holds ($name, fixture of Windows) waits by name, and is sent when it is let go',
  { timeout: BENCH_TIMEOUT_MS },
  async ({ errno, code }, context) => {
    const bench = await startBench(context, { clock: createSkipClock(), threads: faultyThreads });
    const zone = createFaultZone(bench.root);
    context.onTestFinished(zone.end);
    zone.begin({ operations: ['open'], errno, only: 'held.mp4' });
    await bench.write('Gate 4/held.mp4', { fixture: 'car-park.mp4' });
    await bench.write('Gate 4/free.avi', 3_000);
    await bench.until(() => bench.of('file.held').length > 0, 'the word about the clip');
    expect(bench.of('file.held')[0]).toMatchObject({ code, file: 'held.mp4' });
    await bench.until(() => bench.of('clip.uploaded').length === 1, 'the other clip');
    zone.end();
    await bench.until(() => (bench.skip(1_000), bench.of('clip.uploaded').length === 2), 'the clip');
    expect(bench.of('clip.failed')).toEqual([]);
  },
);
