import { expect, test } from 'vitest';
import { startBench } from '../helpers/agent-bench.ts';
import { eventually } from '../helpers/eventually.ts';
import { startPoorLine, type PoorLine } from './poor-line.ts';

const lines: readonly { row: string; what: string; line: PoorLine; files: Record<string, number> }[] = [
  {
    row: 'fault 48',
    what: '8 Mbit/s that loses a fifth of its packets',
    line: { bytesPerSecond: 1_000_000, lossShare: 0.2 },
    files: { 'Gate 1/a.ts': 6_000_000, 'Gate 2/b.avi': 200_000 },
  },
  {
    row: 'fault 48',
    what: '64 kbit/s',
    line: { bytesPerSecond: 8_000 },
    files: { 'Gate 1/a.avi': 120_000, 'Gate 2/b.avi': 60_000 },
  },
  {
    row: 'fault 49',
    what: '3 s each way, single bytes and slow ends',
    line: { latencyMs: 3_000, pieceBytes: 1, closeMs: 2_000 },
    files: { 'Gate 1/a.avi': 30_000 },
  },
];

test.for(lines)(
  '$row: over a line of $what everything arrives, and progress never runs ahead',
  async (one, context) => {
    const { line, files } = one;
    const bench = await startBench(context, {
      files,
      baseUrl: (simulator) => startPoorLine(context, simulator, line),
    });
    const total = Object.values(files).reduce((sum, bytes) => sum + bytes, 0);
    const seen: number[] = [];
    await eventually(
      () => {
        const { bytesUploaded = 0, bytesInFlight = 0 } = bench.progress() ?? {};
        seen.push(bytesUploaded + bytesInFlight);
        return bench.of('clip.uploaded').length === Object.keys(files).length;
      },
      'all clips',
      240_000,
    );
    await bench.untilIdle(120_000);
    await bench.expectWhole();
    expect(Math.max(...seen)).toBeLessThanOrEqual(total);
    expect([...bench.of('clip.failed'), ...bench.of('circuit.paused')]).toEqual([]);
  },
);
