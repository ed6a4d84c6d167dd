import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Failure } from '../../../../shared/domain/failure.ts';
import { fileFailure } from '../../../../electron/agent/files/file-failures.ts';
import { judgeFileFailure } from '../../../../electron/agent/files/judge-file-failure.ts';
import { createRootGate, type RootGate } from '../../../../electron/agent/files/root-gate.ts';
import { createFakeClock, type FakeClock } from '../../../helpers/fake-clock.ts';

let base = '';
let root = '';
let clock: FakeClock;
let gate: RootGate;

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'judge-'));
  root = join(base, 'exports');
  await mkdir(root);
  await writeFile(join(root, 'a.mp4'), 'a');
  clock = createFakeClock();
  gate = createRootGate({ clock, rootPath: root });
  onTestFinished(async () => {
    gate.close();
    await rm(base, { recursive: true, force: true });
  });
});

const errorOf = (errno: number): Error =>
  Object.assign(new Error('x'), { errno: -errno, code: `number ${errno}` });
const judge = (failure: Failure): Promise<Failure> =>
  judgeFileFailure(gate, { rootPath: root, path: join(root, 'a.mp4'), isFolderGone: false }, failure);

describe('judgeFileFailure', () => {
  it('names the root of a file that cannot be read while the root can be listed', async () => {
    const judged = await judge(fileFailure(errorOf(5), 'a.mp4'));
    expect(judged).toMatchObject({ code: 'FILE_READ', message: expect.stringContaining(root) });
    expect(judged.retryAfterMs).toBeUndefined();
  });

  it.each([
    ['cannot be read', 5],
    ['may not be read', 13],
    ['is gone', 2],
  ])('takes a file that %s for the fault of a root that is away, and reports it', async (_what, errno) => {
    let reports = 0;
    gate.onProblem(() => (reports += 1));
    await rm(root, { recursive: true });
    expect(await judge(fileFailure(errorOf(errno), 'a.mp4'))).toMatchObject({ code: 'ROOT_OFFLINE' });
    expect(reports).toBe(1);
  });

  it('lets a file wait for minutes that alone cannot be read for long, and no sooner', async () => {
    const unreadable = fileFailure(errorOf(5), 'a.mp4');
    for (let failures = 0; failures < 3; failures += 1) {
      expect((await judge(unreadable)).retryAfterMs).toBeUndefined();
      gate.noteReadable(join(root, 'b.mp4'));
      await clock.advance(50_000);
    }
    expect(await judge(unreadable)).toMatchObject({ code: 'FILE_READ', retryAfterMs: 240_000 });
    // Once the file was read, the pauses start over
    gate.noteReadable(join(root, 'a.mp4'));
    expect((await judge(unreadable)).retryAfterMs).toBeUndefined();
  });

  it('tries a file again soon when no other of its root can be read either', async () => {
    const unreadable = fileFailure(errorOf(5), 'a.mp4');
    for (let failures = 0; failures < 5; failures += 1) {
      expect((await judge(unreadable)).retryAfterMs).toBeUndefined();
      await clock.advance(60_000);
    }
  });

  it('leaves alone what says nothing about the root', async () => {
    const gone = fileFailure(errorOf(2), 'a.mp4');
    expect(await judge(gone)).toBe(gone);
    const short = fileFailure(errorOf(24), 'a.mp4');
    expect(await judge(short)).toMatchObject({ code: 'HANDLES_USED_UP' });
  });
});
