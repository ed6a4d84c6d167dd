import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createRootGate } from '../../../../electron/agent/files/root-gate.ts';
import { createSystemClock } from '../../../../electron/agent/system-clock.ts';
import { createChangeHints } from '../../../../electron/agent/watch/change-hints.ts';

/** As many as are watched closely at once. */
const FOLLOWED = 64;
const FILES_EACH = 40;
/** Longest wait for hints, which need real time, milliseconds. */
const soon = { timeout: 20_000, interval: 20 };

it('leaves many exports for newer ones at little cost, and gives hints of those alone', async () => {
  const rootPath = await mkdtemp(join(tmpdir(), 'vms-hints-'));
  onTestFinished(() => rm(rootPath, { recursive: true, force: true }));
  const records = new Map<string, unknown>();
  const hinted = new Set<string>();
  const hints = createChangeHints({
    options: { rootPath, settings: {}, gate: createRootGate({ clock: createSystemClock(), rootPath }) },
    tracker: { records },
    onHint: (exportPath: string) => hinted.add(exportPath),
    wake: () => undefined,
  } as never);
  onTestFinished(() => hints.close());
  hints.open([]);

  function make(generation: number): void {
    for (let number = 0; number < FOLLOWED; number += 1) {
      const exportPath = `${generation}-${number}`;
      const folder = join(rootPath, exportPath, 'clips');
      mkdirSync(folder, { recursive: true });
      for (let clip = 0; clip < FILES_EACH; clip += 1) writeFileSync(join(folder, `${clip}.mp4`), '');
      records.set(exportPath, { files: new Map(), ref: { exportPath, mtimeMs: generation } });
    }
  }
  /** Writes into the last export until that gives a hint: the others are watched by then. */
  async function untilHinted(generation: number): Promise<void> {
    hinted.clear();
    const last = `${generation}-${FOLLOWED - 1}`;
    const isHinted = async (): Promise<boolean> => {
      await writeFile(join(rootPath, last, 'clips', 'late.mp4'), String(performance.now()));
      return hinted.has(last);
    };
    await expect.poll(isHinted, soon).toBe(true);
  }

  /** CPU time of this thread until the newest exports are watched, milliseconds. */
  async function costOfFollowing(generation: number): Promise<number> {
    make(generation);
    const before = process.threadCpuUsage();
    hints.followNewest();
    await untilHinted(generation);
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1_000;
  }

  const firstMs = await costOfFollowing(1);
  const laterMs = await costOfFollowing(2);
  // If each folder that is left were compared with every file that is watched, four times as much
  expect(laterMs).toBeLessThan(3 * firstMs);
  await writeFile(join(rootPath, '1-0', 'clips', 'late.mp4'), '');
  await untilHinted(2);
  expect([...hinted]).not.toContain('1-0');
});
