import { expect } from 'vitest';
import type { Bench } from './agent-bench.ts';

/** Expects that nothing has failed and that the refusing side got few requests. */
export function expectPatience(bench: Bench, what: string): void {
  expect(bench.of('clip.failed'), what).toEqual([]);
  const asked = bench.simulator.requests.all().filter(({ faultId }) => faultId !== undefined);
  const perMinute = asked.length;
  // 1, 2, 4, 8, 16, 30 s apart, each with a few calls per job, for two sides, plus the first requests already on the
  // line
  expect(perMinute, what).toBeLessThanOrEqual(60);
}

/** Most clips that are sent while waiting for another to be given up. */
const MOST_OTHERS = 30;

/** Sends other clips, one every 20 s of the clock, until the fact holds; returns their paths and sizes. */
export async function sendOthersUntil(
  bench: Bench,
  fact: () => boolean,
  { extension = 'avi', sizeBytes = 50_000 } = {},
): Promise<Readonly<Record<string, number>>> {
  const sent: Record<string, number> = {};
  for (let number = 1; number <= MOST_OTHERS && !fact(); number += 1) {
    const file = `other-${number}.${extension}`;
    sent[`Others/${file}`] = sizeBytes;
    await bench.write(`Others/${file}`, sizeBytes);
    await bench.until(() => bench.of('clip.uploaded').some((event) => event.file === file), file);
    bench.skip(20_000);
  }
  await bench.until(fact, 'the one that is given up');
  return sent;
}
