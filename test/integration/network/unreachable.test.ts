import { expect, test } from 'vitest';
import { startBench } from '../../helpers/agent-bench.ts';

test('everything is sent without a fault', async () => {
  const bench = await startBench({
    files: {
      'Gate 4/a.avi': 400_000,
      'Gate 4/b.mp4': { fixture: 'gate-4-north.mp4' },
      'Gate 4/c.ts': 12_000_000,
      'Ramp/d.mp4': { fixture: 'car-park.mp4', sizeBytes: 11_000_000 },
    },
  });
  await bench.untilIdle();
  await bench.expectWhole();
  expect(bench.of('clip.uploaded')).toHaveLength(4);
});
