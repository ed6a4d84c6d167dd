import { execFileSync } from 'node:child_process';
import { link, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { handlesUsedUp } from '../../../../electron/agent/core/failures/upload-failure.ts';
import type { FileSeen } from '../../../../electron/agent/core/settle/file-seen.ts';
import { createClipCheck } from '../../../../electron/agent/files/containers/check-clip.ts';
import { inspectExport } from '../../../../electron/agent/files/inspect-export.ts';
import { ownThreads } from '../../../../electron/agent/files/own-threads.ts';
import {
  createRootGates,
  type RootGate,
  type RootReader,
} from '../../../../electron/agent/files/root-gate.ts';
import { SMALL_BYTES } from '../../../../electron/agent/files/snapshot-file.ts';
import { smallFileThreads } from '../../../helpers/small-file-threads.ts';
import type { Clock, WorkerThreads } from '../../../../electron/agent/ports.ts';
import { createSystemClock } from '../../../../electron/agent/system-clock.ts';
import { sameNoise } from '../../../helpers/bench-files.ts';
import { sharedThreads } from '../../../helpers/shared-threads.ts';

const CLIPS = fileURLToPath(new URL('../../../fixtures/clips/', import.meta.url));
const clock = createSystemClock();
const never = (): Promise<never> => Promise.reject(new Error('not asked for'));

let root = '';
const ends: (() => void)[] = [];
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'root-reader-'));
});
afterEach(async () => {
  for (const end of ends.splice(0)) end();
  await rm(root, { recursive: true });
});

/** The gate of the root, without a thread and with one; `asked` lists what the thread was asked for. */
function gates(threads = sharedThreads, ofClock: Clock = clock) {
  const snapshots = smallFileThreads(ofClock, threads);
  const asked: string[] = [];
  const reader: RootReader = {
    bytes: (request) => (asked.push('bytes'), snapshots.of(root).bytes(request)),
    stats: (paths) => (asked.push('stats'), snapshots.of(root).stats(paths)),
  };
  const without = createRootGates(clock);
  const withThread = createRootGates(clock, undefined, undefined, { of: () => reader });
  ends.push(snapshots.stop, without.closeAll, withThread.closeAll);
  return { plain: without.of(root), threaded: withThread.of(root), asked, snapshots };
}

describe('a folder of many entries', () => {
  const inspect = (gate: RootGate) =>
    inspectExport({ gate, rootId: 'r', rootPath: root, exportPath: 'Gate 4', nowMs: Date.now() });

  it('checklist 38: is seen with the number of names that each file has', async () => {
    await mkdir(join(root, 'Gate 4'));
    await writeFile(join(root, 'Gate 4', 'a.avi'), 'a clip');
    await link(join(root, 'Gate 4', 'a.avi'), join(root, 'other-name.avi'));
    const looked = await inspect(gates().plain);
    const files = looked.kind === 'seen' ? looked.seen.files : [];
    expect(files.map(({ path, links }) => [path, links])).toEqual([['a.avi', 2]]);
  });

  it('is seen by the thread as it is without one', async () => {
    await mkdir(join(root, 'Gate 4', 'inner'), { recursive: true });
    for (let index = 0; index < 100; index += 1)
      await writeFile(join(root, 'Gate 4', `clip-${index}.avi`), `clip ${index}`);
    await symlink(join(root, 'elsewhere'), join(root, 'Gate 4', 'link.avi'));
    execFileSync('mkfifo', [join(root, 'Gate 4', 'pipe.avi')]);
    const { plain, threaded, asked } = gates();
    const [expected, seen] = [await inspect(plain), await inspect(threaded)];
    if (seen.kind !== 'seen' || expected.kind !== 'seen') throw new Error(`${seen.kind} ${expected.kind}`);
    const sorted = (files: readonly FileSeen[]) => files.toSorted((a, b) => a.path.localeCompare(b.path));
    expect({ ...seen.seen, files: sorted(seen.seen.files) }).toEqual({
      ...expected.seen,
      files: sorted(expected.seen.files),
    });
    expect(seen.seen.files).toHaveLength(102);
    expect(asked.length).toBeGreaterThan(0);
  });

  it('names by its error an entry that the thread cannot look at', async () => {
    const tooLong = join(root, 'n'.repeat(300));
    const looks = await gates().threaded.reader?.stats([join(root, 'gone'), tooLong, root]);
    expect(looks).toMatchObject([
      { ok: true, value: undefined },
      { ok: false, error: { code: 'ENAMETOOLONG' } },
      { ok: true, value: { kind: 'directory' } },
    ]);
  });
});

describe('a small clip', () => {
  async function seenAt(path: string): Promise<FileSeen> {
    const { plain } = gates();
    const seen = await inspectExport({ gate: plain, rootId: 'r', rootPath: root, exportPath: '', nowMs: 0 });
    const file = seen.kind === 'seen' ? seen.seen.files.find((one) => one.path === path) : undefined;
    if (file === undefined) throw new Error(`${path} is not there`);
    return file;
  }
  const check = async (gate: RootGate, path: string, seen?: FileSeen) =>
    createClipCheck(gate, root)(join(root, path), seen ?? (await seenAt(path)));

  it('is judged from memory as it is from the disk, whole, cut off and noise', async () => {
    const contents = new Map<string, Uint8Array>([['noise.avi', sameNoise(5_000)]]);
    for (const name of (await readdir(CLIPS)).filter((one) => !one.endsWith('.jpg'))) {
      const bytes = await readFile(join(CLIPS, name));
      contents.set(name, bytes.subarray(0, SMALL_BYTES)).set(`cut-${name}`, bytes.subarray(0, 9_000));
    }
    const { plain, threaded, asked } = gates();
    for (const [name, bytes] of contents) {
      await writeFile(join(root, name), bytes);
      expect([name, await check(threaded, name)]).toEqual([name, await check(plain, name)]);
    }
    expect(asked).toHaveLength(contents.size);
  });

  it('that was written to since is FILE_CHANGED, and one that is gone FILE_GONE', async () => {
    await writeFile(join(root, 'b.avi'), 'another one');
    await writeFile(join(root, 'a.avi'), 'before');
    const seen = await seenAt('a.avi');
    await writeFile(join(root, 'a.avi'), 'and after');
    const { threaded } = gates();
    expect(await check(threaded, 'a.avi', seen)).toMatchObject({ failure: { code: 'FILE_CHANGED' } });
    await rm(join(root, 'a.avi'));
    expect(await check(threaded, 'a.avi', seen)).toMatchObject({ failure: { code: 'FILE_GONE' } });
  });

  it('is read without the thread where that has no handle left', async () => {
    await writeFile(join(root, 'a.avi'), sameNoise(5_000));
    const reader = {
      bytes: async () => ({ ok: false, error: handlesUsedUp('EMFILE') }) as const,
      stats: never,
    };
    const made = createRootGates(clock, undefined, undefined, { of: () => reader });
    ends.push(made.closeAll);
    expect(await check(made.of(root), 'a.avi')).toMatchObject({ isMute: true });
  });
});

describe('a thread that hangs', () => {
  it('keeps the place of its look at the gate until it has ended, so that nothing else hangs beside it', async () => {
    const ended = Promise.withResolvers<void>();
    const hanging: WorkerThreads = {
      // One that is starting: it has not answered when its time is up
      take: ownThreads.take,
      async giveBack(worker: Worker) {
        await Promise.all([ended.promise, worker.terminate()]);
      },
    };
    const { threaded } = gates(hanging, { ...clock, after: (_delayMs, work) => clock.after(0, work) });
    let isSettled = false;
    const looking = threaded.reader?.stats([root]).finally(() => (isSettled = true));
    looking?.catch(() => undefined);
    await clock.sleep(100);
    expect(isSettled).toBe(false);
    ended.resolve();
    await expect(looking).rejects.toMatchObject({ failure: { code: 'ROOT_HUNG' } });
  });
});
