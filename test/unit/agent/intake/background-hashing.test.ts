import { createHash } from 'node:crypto';
import { readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { HASHED_AT_ONCE_BYTES } from '../../../../electron/agent/core/settle/settle-rule.ts';
import { fileNotRegular } from '../../../../electron/agent/files/file-failures.ts';
import type { FileSum } from '../../../../electron/agent/files/file-sum.ts';
import { createRootGates } from '../../../../electron/agent/files/root-gate.ts';
import { createSystemClock } from '../../../../electron/agent/system-clock.ts';
import { createIdleHash } from '../../../../electron/agent/intake/background-hashing.ts';
import { err, ok } from '../../../../shared/lib/result.ts';
import { createFakeClock } from '../../../helpers/fake-clock.ts';
import { clipRow, createKeptLog, incidentRow, jobRow, openQueue } from '../../../helpers/queue-fixture.ts';

const LOOK_MS = 5_000;
const sumOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A queue of waiting clips; their files are short, but their rows claim large sizes. */
async function openDesk() {
  const queue = await openQueue();
  const { tables, dir } = queue;
  const stopping = new AbortController();
  const clock = createFakeClock();
  const hashed: string[] = [];
  const log = createKeptLog();
  const state = { active: 0, isBroken: false };
  const fileSum: FileSum = async ({ path }) => {
    hashed.push(path);
    if (path.startsWith('gone')) return err(fileNotRegular(path));
    return ok(sumOf(await readFile(join(dir, path), 'utf8')));
  };
  const idle = createIdleHash(
    {
      tables: {
        ...tables,
        clips: {
          ...tables.clips,
          nextUnhashed(...asked) {
            if (state.isBroken) throw new Error('SQLITE_IOERR');
            return tables.clips.nextUnhashed(...asked);
          },
        },
      },
      fileSum,
      gates: createRootGates(createSystemClock()),
      clock,
      runner: { active: () => state.active },
      logger: log,
    },
    stopping.signal,
  );
  onTestFinished(async () => {
    stopping.abort();
    await idle.ended();
    await queue.close();
  });
  tables.incidents.insert(incidentRow({ rootPath: dir, exportPath: '' }));
  async function clip(path: string, sizeBytes = HASHED_AT_ONCE_BYTES): Promise<void> {
    await writeFile(join(dir, path), path);
    const { ctimeNs } = await stat(join(dir, path), { bigint: true });
    tables.clips.insert(
      clipRow({ id: path, path, sizeBytes, foundCtimeNs: String(ctimeNs), serviceName: path }),
    );
    tables.jobs.put(jobRow({ subject: path }));
  }
  const sums = (...paths: string[]) => paths.map((path) => tables.clips.byId(path)?.foundSha256 ?? null);
  return { dir, clock, hashed, state, idle, clip, sums, stopping, log };
}

it('hashes large clips that wait, each once, and leaves the small ones to the intake', async () => {
  const { clock, hashed, idle, clip, sums } = await openDesk();
  await clip('a.mp4');
  await clip('b.mp4');
  await clip('small.mp4', HASHED_AT_ONCE_BYTES - 1);
  idle.start('auto');
  await clock.untilAsleep();
  expect(sums('a.mp4', 'b.mp4', 'small.mp4')).toEqual([sumOf('a.mp4'), sumOf('b.mp4'), null]);
  await clock.advance(LOOK_MS);
  expect(hashed).toEqual(['a.mp4', 'b.mp4']);
});

it('waits while anything is sent, and looks again after a while', async () => {
  const { clock, hashed, state, idle, clip, sums } = await openDesk();
  await clip('a.mp4');
  state.active = 1;
  idle.start('auto');
  await clock.untilAsleep();
  await clock.advance(LOOK_MS);
  expect(hashed).toEqual([]);
  state.active = 0;
  await clock.advance(LOOK_MS);
  await clock.untilAsleep();
  expect(sums('a.mp4')).toEqual([sumOf('a.mp4')]);
});

it('gives no hash to a clip that was changed since it was found, though its times were put back', async () => {
  const { dir, clock, idle, clip, sums } = await openDesk();
  await clip('a.mp4');
  const { atime, mtime } = await stat(join(dir, 'a.mp4'));
  await writeFile(join(dir, 'a.mp4'), 'b.mp4');
  await utimes(join(dir, 'a.mp4'), atime, mtime);
  idle.start('auto');
  await clock.untilAsleep();
  expect(sums('a.mp4')).toEqual([null]);
});

it('goes on with the others when a clip cannot be read', async () => {
  const { clock, hashed, idle, clip, sums } = await openDesk();
  await clip('gone-1.mp4');
  await clip('z.mp4');
  idle.start('auto');
  await clock.untilAsleep();
  expect(hashed).toEqual(['gone-1.mp4', 'z.mp4']);
  expect(sums('gone-1.mp4', 'z.mp4')).toEqual([null, sumOf('z.mp4')]);
});

it.each(['always', 'never'] as const)(
  'has nothing to do where clips are hashed %s at intake',
  async (rule) => {
    const { clock, hashed, idle, clip } = await openDesk();
    await clip('a.mp4');
    idle.start(rule);
    await idle.ended();
    expect([hashed, clock.sleepers()]).toEqual([[], 0]);
  },
);

it('ends with the agent', async () => {
  const { clock, idle, stopping } = await openDesk();
  idle.start('auto');
  await clock.untilAsleep();
  stopping.abort();
  await idle.ended();
  expect(clock.sleepers()).toBe(0);
});

it('outlives a queue that cannot be read for a while, and says so once', async () => {
  const { clock, state, idle, clip, sums, log } = await openDesk();
  await clip('a.mp4');
  state.isBroken = true;
  idle.start('auto');
  await clock.untilAsleep();
  await clock.advance(LOOK_MS);
  expect(log.lines).toEqual([expect.stringContaining('warn The queue cannot be read')]);
  state.isBroken = false;
  await clock.advance(LOOK_MS);
  await clock.untilAsleep();
  expect(sums('a.mp4')).toEqual([sumOf('a.mp4')]);
});
