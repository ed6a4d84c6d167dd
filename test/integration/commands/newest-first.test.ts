import { expect, test, vi } from 'vitest';
import { BENCH_TIMEOUT_MS, startBench } from '../../helpers/agent-bench.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

test('the newest incident goes first, its small clips before its large ones, and one that was moved before it', async (context) => {
  const bench = await startBench(context, {
    settings: { upload: { concurrentFiles: 1, concurrentParts: 1 } },
  });
  await bench.call('uploads.pause', { target: { kind: 'all' } });
  const found = async (path: string, sizeBytes: number, clips: number): Promise<void> => {
    await bench.write(path, sizeBytes);
    const waiting = async () => (await bench.call('health.get', {})).queue.waiting;
    await expect.poll(waiting, { timeout: 30_000 }).toBe(clips);
  };
  await found('Moved/a.ts', 6_000_000, 1);
  await found('Older/b.ts', 6_100_000, 2);
  await found('Newest/large.ts', 11_000_000, 3);
  await found('Newest/small.ts', 6_200_000, 4);
  const [moved, older, large, small] = await Promise.all(
    ['Moved/a.ts', 'Older/b.ts', 'Newest/large.ts', 'Newest/small.ts'].map((path) => bench.ids(path)),
  );
  const incidentId = moved?.incidentId ?? '';
  await bench.call('uploads.moveToFront', { target: { kind: 'incident', incidentId } });
  const history = await bench.call('uploads.getHistory', {
    of: { kind: 'clip', clipId: older?.clipId ?? '' },
  });
  // While everything is paused, nothing has a turn
  expect(history.turn).toBeUndefined();
  await bench.call('uploads.resume', { target: { kind: 'all' } });
  await bench.untilIdle();
  await bench.expectWhole({
    files: { 'Moved/a.ts': 0, 'Older/b.ts': 0, 'Newest/large.ts': 0, 'Newest/small.ts': 0 },
  });
  const sent = bench.of('clip.uploaded').map(({ clipId }) => clipId);
  expect(sent).toEqual([moved, small, large, older].map((ids) => ids?.clipId));
});
