import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { BENCH_TIMEOUT_MS } from '../../helpers/agent-bench.ts';
import { eventually } from '../../helpers/eventually.ts';
import { createFakeClock } from '../../helpers/fake-clock.ts';
import { writtenClip } from '../../helpers/written-clips.ts';
import { startFolderBench } from './folder-bench.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

/** Longest time from the writer's end to the complete incident, milliseconds. */
const COMPLETE_MS = 8_000;
/** Step of the clock, milliseconds. */
const STEP_MS = 250;
/** Real time of a step, milliseconds: hints from the system and worker threads do not follow a test's clock. */
const STEP_TAKES_MS = 50;

/** A clock that almost stands still while the watch works, however slow the machine is. */
function clockInHand() {
  const clock = createFakeClock(Date.now(), 0);
  let asleep = 0;
  return {
    ...clock,
    skip: (): void => undefined,
    setWrongBy: (): void => undefined,
    setRandom: (): void => undefined,
    skippedMs: () => 0,
    sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
      const sleeping = clock.sleep(delayMs, signal);
      // The stack identifies a sleep of the watch's loop
      if (new Error('asleep').stack?.includes('root-watcher.ts') !== true) return sleeping;
      asleep += 1;
      return sleeping.finally(() => (asleep -= 1));
    },
    async step(): Promise<void> {
      // The watch may itself be waiting for a short pause to end
      await eventually(async () => asleep > 0 || (await clock.advance(1)), 'the end of a look');
      await clock.advance(STEP_MS);
      await sleep(STEP_TAKES_MS);
    },
  };
}

const names = ['index-last.mp4', 'plain.mkv', 'plain.avi', 'plain.asf'] as const;

test('the incident of a clip is complete within 8 s after its writer closed it', async (context) => {
  const clock = clockInHand();
  const bench = await startFolderBench(context, { clock, watch: { settleSeconds: 30 } });
  const pathOf = (name: string) => join(bench.root, `Export of ${name}`, name);
  /** Writes like a recorder, at the desk's time. */
  async function record(name: string, bytes: Uint8Array): Promise<void> {
    await mkdir(dirname(pathOf(name)), { recursive: true });
    await writeFile(pathOf(name), bytes);
    await utimes(pathOf(name), clock.now() / 1_000, clock.now() / 1_000);
  }
  for (const name of names) await record(name, writtenClip(name).writes[0]?.bytes ?? Buffer.alloc(0));
  // Quiet for so long that looks at it have become rare
  while (clock.monotonic() < 8_000) await clock.step();
  expect(bench.of('incident.found')).toEqual([]);

  for (const name of names) await record(name, writtenClip(name).whole);
  const closedMs = clock.monotonic();
  const isRead = async () => (await bench.call('health.get', {})).exports.reading === 0;
  while (bench.of('incident.found').length < names.length) {
    await clock.step();
    await eventually(async () => (await isRead()) || (await clock.advance(1)), 'the end of reading');
    expect(clock.monotonic() - closedMs, 'until they are taken').toBeLessThan(COMPLETE_MS);
  }
  // The rest takes as long as the machine needs: the clock only lets short pauses end
  const complete = () => bench.of('incident.synced').filter(({ uploaded }) => uploaded === 1);
  const areComplete = () => complete().length === names.length;
  await eventually(async () => areComplete() || (await clock.advance(1)), 'the complete incidents');
  expect(clock.monotonic() - closedMs).toBeLessThan(COMPLETE_MS);
  await bench.expectWhole(Object.fromEntries(names.map((name) => [`Export of ${name}/${name}`, 0])));
  expect(bench.of('file.held')).toEqual([]);
});
