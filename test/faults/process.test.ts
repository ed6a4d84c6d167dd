import { expect, test } from 'vitest';
import { startBench } from '../helpers/agent-bench.ts';
import { noStrace, runUnder, startUnder, strace } from '../helpers/agent-under.ts';

/** Longer than the URLs are valid. */
const STOPPED_MS = 6_000;
const URL_SECONDS = 4;
/** Most requests that a process may have open in parallel: no burst follows a pause. */
const MOST_AT_ONCE = 12;
/** What two clips and their records need once more, and a few look-ups. */
const MOST_IN_ALL = 20;

test.skipIf(process.platform === 'win32')(
  'fault 7: a process that is stopped while URLs lapse asks for new ones, without a burst, and sends everything once',
  async (context) => {
    const files = { 'Gate 1/a.ts': 16_000_000, 'Gate 2/b.avi': 50_000 };
    const bench = await startBench(context, { simulator: { urlLifetimeSeconds: URL_SECONDS } });
    await bench.stopAgent();
    for (const [path, bytes] of Object.entries(files)) await bench.write(path, bytes);
    const hold = bench.simulator.faults.hold({ call: 'putPart', partNumber: 2 });
    const { child, ended } = startUnder(bench, []);
    await hold.arrived;
    child.kill('SIGSTOP');
    await new Promise((resolve) => setTimeout(resolve, STOPPED_MS));
    hold.release();
    const before = bench.simulator.requests.all().length;
    child.kill('SIGCONT');
    const lines = await ended;
    const since = bench.simulator.requests.all().slice(before);
    // No burst: the URLs of each incident are requested once, and bytes are sent again once where a URL had lapsed
    const asked = since.filter(({ call }) => call === 'getUploadUrls').map(({ path }) => path);
    expect(asked).toHaveLength(new Set(asked).size);
    const sent = since.filter(({ call }) => call === 'putPart' || call === 'putObject');
    const times = Map.groupBy(sent, ({ fileId, partNumber }) => `${fileId} ${partNumber}`);
    for (const puts of times.values()) expect(puts.length).toBeLessThanOrEqual(2);
    expect(since.length).toBeLessThanOrEqual(MOST_IN_ALL);
    const openAt = (moment: number) =>
      since.filter(({ at, endedAt = Infinity }) => at <= moment && moment <= endedAt).length;
    expect(Math.max(...since.map(({ at }) => openAt(at)))).toBeLessThanOrEqual(MOST_AT_ONCE);
    expect(lines.at(-1)?.event).toBe('idle');
    expect(lines.filter(({ event }) => event === 'clip.failed')).toEqual([]);
    await bench.expectWhole({ files });
  },
);

test('fault 11: an agent with too little memory ends clearly or goes on, and its queue is whole', async (context) => {
  const files = Object.fromEntries(
    Array.from({ length: 30 }, (_, number) => [`Gate ${number}/a.avi`, 20_000 + number] as const),
  );
  const bench = await startBench(context);
  await bench.stopAgent();
  for (const [path, bytes] of Object.entries(files)) await bench.write(path, bytes);
  let endings = 0;
  for (const heapMib of [18, 24, 32, 48]) {
    const lines = await runUnder(bench, ['env', `NODE_OPTIONS=--max-old-space-size=${heapMib}`], true);
    if (!['idle', 'ended', 'refused'].includes(lines.at(-1)?.event ?? '')) endings += 1;
    expect(lines.filter(({ event }) => event === 'clip.failed')).toEqual([]);
  }
  await bench.startAgent();
  await bench.untilIdle(120_000);
  expect(bench.of('clip.failed')).toEqual([]);
  await bench.expectWhole({ files, kills: 4 });
  expect(endings).toBeLessThanOrEqual(4);
});

test.skipIf(noStrace !== undefined)(
  `fault 37: an agent whose system has no watches left says so and finds exports by scans (${noStrace ?? 'strace'})`,
  async (context) => {
    const files = { 'Gate 1/a.avi': 30_000 };
    const bench = await startBench(context);
    await bench.stopAgent();
    await bench.write('Gate 1/a.avi', files['Gate 1/a.avi']);
    const lines = await runUnder(bench, strace(bench, 'inotify_add_watch', 'error=ENOSPC', ''));
    expect(lines.map(({ code }) => code)).toContain('WATCHES_USED_UP');
    expect(lines.at(-1)?.event).toBe('idle');
    await bench.expectWhole({ files });
  },
);
