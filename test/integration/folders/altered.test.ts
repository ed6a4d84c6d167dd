import Database from 'better-sqlite3';
import { cp, mkdir, open, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { BENCH_TIMEOUT_MS } from '../../helpers/agent-bench.ts';
import { sha256Of } from '../../helpers/bench-files.ts';
import { startFolderBench, videoOf } from './folder-bench.ts';
import { long } from '../../helpers/long.ts';

// Several agents run at the same time here, on machines that may be busy
vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

const clip = 'Gate 4/clip.avi';

/** A whole second, which can be restored exactly. */
const WRITTEN = new Date('2026-05-01T12:00:00Z');
const dated = (path: string) => (root: string) => utimes(join(root, path), WRITTEN, WRITTEN);

/** Overwrites some bytes and restores the modification time: only the change time shows it. */
async function alter(path: string, position: number): Promise<void> {
  const file = await open(path, 'r+');
  await file.write(Buffer.alloc(17, 9), 0, 17, position);
  await file.close();
  await utimes(path, WRITTEN, WRITTEN);
}

test.concurrent.for([
  { how: 'hashed when it was found', settings: {}, isHashed: true },
  { how: 'not hashed', settings: { evidence: { hashAtIntake: 'never' } }, isHashed: false },
])(
  'fault 33: a clip that is altered while it waits, and was $how, is sent with a warning that stays',
  async ({ settings, isHashed }, context) => {
    const bench = await startFolderBench(context, {
      settings,
      hold: { call: 'getUploadUrls' },
      files: { [clip]: 200_000, 'Ramp/other.avi': 3_000 },
      prepare: dated(clip),
    });
    const path = join(bench.root, clip);
    const found = await sha256Of(path);
    await bench.until(() => bench.of('incident.found').length === 2, 'both exports');
    await alter(path, 100_000);
    bench.hold.release();
    await bench.until(() => bench.of('clip.altered').length > 0, 'the warning');
    await bench.untilIdle();
    const sent = await sha256Of(path);
    const facts = { ...(isHashed && { foundSha256: found }), sentSha256: sent };
    const [event] = bench.of('clip.altered');
    expect(event).toMatchObject({ event: 'clip.altered', code: 'FILE_ALTERED', ...facts });
    expect(bench.of('clip.altered')).toHaveLength(1);
    const { clipId } = await bench.ids(clip);
    const history = await bench.call('uploads.getHistory', { of: { kind: 'clip', clipId } });
    expect(history.events.map(({ facts: each }) => each)).toContainEqual({ kind: 'altered', ...facts });
    const [text] = (await videoOf(bench, clip))?.upload_errors ?? [];
    expect(text).toContain(`as sent: ${sent}`);
    expect(text?.includes(found)).toBe(isHashed);
  },
);

test.concurrent(
  'a clip that is given other rights while it waits is sent without a word',
  long(),
  async (context) => {
    const bench = await startFolderBench(context, {
      hold: { call: 'getUploadUrls' },
      files: { [clip]: 200_000 },
      prepare: dated(clip),
    });
    await bench.until(() => bench.of('incident.found').length === 1, 'the export');
    await dated(clip)(bench.root);
    bench.hold.release();
    await bench.untilIdle();
    expect(bench.of('clip.uploaded')).toHaveLength(1);
    expect(bench.of('clip.altered')).toEqual([]);
  },
);

test.concurrent('a clip that is altered while its parts are sent is not called damaged', async (context) => {
  const big = 'Gate 4/big.ts';
  const hold = { call: 'putPart', partNumber: 2 } as const;
  const bench = await startFolderBench(context, { files: { [big]: 11_000_000 }, prepare: dated(big), hold });
  await bench.hold.arrived;
  await alter(join(bench.root, big), 10_999_000);
  bench.hold.release();
  await bench.until(() => bench.of('clip.altered').length > 0, 'the warning');
  await bench.untilIdle();
  await bench.expectWhole({ [big]: 0 });
  expect(bench.of('clip.retrying').map(({ code }) => code)).not.toContain('BYTES_DAMAGED');
});

test.concurrent('checklist 37: a row of the queue cannot have a file of another folder sent', async (context) => {
  const bench = await startFolderBench(context, {
    hold: { call: 'getUploadUrls' },
    files: { 'Gate 4/a.avi': 5_000 },
  });
  await bench.until(() => bench.of('incident.found').length === 1, 'the export');
  await bench.stopAgent();
  const secret = join(bench.home, 'private');
  await mkdir(join(secret, 'Gate 4'), { recursive: true });
  await cp(join(bench.root, 'Gate 4/a.avi'), join(secret, 'Gate 4/a.avi'));
  const { ino, mtimeNs } = await stat(join(secret, 'Gate 4/a.avi'), { bigint: true });
  const db = new Database(join(bench.dataDir, 'queue.db'));
  db.prepare('UPDATE incidents SET root_path = ?').run(secret);
  db.prepare('UPDATE clips SET inode = ?, mtime_ns = ?').run(String(ino), String(mtimeNs));
  db.close();
  await rm(join(bench.root, 'Gate 4'), { recursive: true });
  bench.hold.release();
  await bench.startAgent();
  await bench.until(() => bench.of('clip.retrying').length > 0, 'the refusal');
  expect(bench.of('clip.retrying')[0]).toMatchObject({ code: 'ROOT_FORBIDDEN' });
  expect(await bench.agent().untilIdle()).toMatchObject({ code: 'ROOT_FORBIDDEN' });
  expect(bench.simulator.requests.of('putObject')).toEqual([]);
});

// The folder was removed from the settings: nothing is wrong with the clip
test.concurrent(
  'a clip whose folder is not watched any more waits without an end, and is sent once it is watched again',
  long(),
  async (context) => {
    const bench = await startFolderBench(context, {
      hold: { call: 'getUploadUrls' },
      files: { 'Gate 4/a.avi': 5_000 },
    });
    await bench.hold.arrived;
    await bench.stopAgent();
    bench.hold.release();
    const move = (to: string): void => {
      const db = new Database(join(bench.dataDir, 'queue.db'));
      db.prepare('UPDATE incidents SET root_path = ?').run(to);
      db.close();
    };
    move(join(bench.home, 'no longer watched'));
    await rename(join(bench.root, 'Gate 4'), join(bench.home, 'Gate 4'));
    await bench.startAgent();
    const tries = (): number => {
      const db = new Database(join(bench.dataDir, 'queue.db'), { readonly: true });
      const count = db
        .prepare<[], number>("SELECT attempts FROM jobs WHERE kind = 'send-clip'")
        .pluck()
        .get();
      db.close();
      return count ?? 0;
    };
    for (let number = 1; number <= 8; number += 1) {
      await bench.until(() => tries() >= number, 'another look');
      bench.skip(60_000);
    }
    expect(bench.of('clip.retrying').map(({ code }) => code)).toEqual(['ROOT_FORBIDDEN']);
    expect(bench.of('clip.failed')).toEqual([]);
    expect(await bench.agent().untilIdle()).toMatchObject({ code: 'ROOT_FORBIDDEN' });
    await bench.stopAgent();
    move(bench.root);
    await rename(join(bench.home, 'Gate 4'), join(bench.root, 'Gate 4'));
    await bench.startAgent();
    await bench.untilIdle();
    expect(bench.of('clip.uploaded')).toMatchObject([{ file: 'a.avi' }]);
    expect(bench.of('clip.failed')).toEqual([]);
  },
);
