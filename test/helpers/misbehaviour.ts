import { expect } from 'vitest';
import type { Bench } from './agent-bench.ts';

/** While it lasts nothing fails, and the side that refuses is asked seldom. */
export function expectPatience(bench: Bench, what: string): void {
  expect(bench.of('clip.failed'), what).toEqual([]);
  const asked = bench.simulator.requests.all().filter(({ faultId }) => faultId !== undefined);
  const perMinute = asked.length;
  // 1, 2, 4, 8, 16, 30 s apart, each of a job of at most some calls, for two sides, beside what was on the line at first
  expect(perMinute, what).toBeLessThanOrEqual(60);
}

/** Most clips that are sent while somebody waits for one to be given up. */
const MOST_OTHERS = 30;

/** Other clips are sent, one each 20 s of the clock, until the fact holds; answers their paths. */
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
