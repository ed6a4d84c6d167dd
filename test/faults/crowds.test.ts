import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../helpers/eventually.ts';
import { realClockDesk } from '../helpers/watch-desk.ts';

const LIMIT_MS = 540_000;
/** Most CPU time of this thread between two turns of its loop, milliseconds. */
const MOST_AT_ONCE_MS = 200;
const LOOK_MS = 5;

/** Measures the longest time for which the thread computed without yielding; a busy machine does not count. */
function watchLoop() {
  let mostMs = 0;
  let before = process.threadCpuUsage();
  const timer = setInterval(() => {
    const { user, system } = process.threadCpuUsage(before);
    mostMs = Math.max(mostMs, (user + system) / 1_000);
    before = process.threadCpuUsage();
  }, LOOK_MS);
  return { mostMs: () => mostMs, stop: () => clearInterval(timer) };
}

function make(root: string, script: string): void {
  execFileSync('sh', ['-c', `cd "$1" && ${script}`, 'sh', root]);
}

test('fault 36: 40,000 files that come at once are all found and settle', async (context) => {
  const desk = await realClockDesk();
  context.onTestFinished(() => desk.close());
  const watcher = desk.watcher();
  watcher.start();
  await eventually(() => watcher.state().idle, 'the first scan', 30_000);
  make(
    desk.root,
    'for i in $(seq 200); do mkdir "e$i" && (cd "e$i" && seq -f "c%g.avi" 200 | xargs -I{} cp /etc/hostname {}); done',
  );
  const settled = (): number =>
    Array.from({ length: 200 }, (_, index) => desk.settledNames(`e${index + 1}`).length).reduce(
      (sum, count) => sum + count,
      0,
    );
  await eventually(() => settled() === 40_000, '40,000 files', LIMIT_MS);
});

test('fault 42, input B8: a folder of 100,000 files is read without holding up the loop', async (context) => {
  const desk = await realClockDesk();
  context.onTestFinished(() => desk.close());
  make(
    desk.root,
    'mkdir big && cd big && seq -f "c%06.0f.avi" 100000 | xargs -n 2000 sh -c \'for n; do echo x > "$n"; done\' sh',
  );
  const loop = watchLoop();
  const watcher = desk.watcher();
  watcher.start();
  await eventually(() => desk.last('big')?.settled.length === 100_000, '100,000 files', LIMIT_MS);
  loop.stop();
  expect(loop.mostMs()).toBeLessThan(MOST_AT_ONCE_MS);
  make(desk.root, `rm -rf ${join('.', 'big')}`);
});
