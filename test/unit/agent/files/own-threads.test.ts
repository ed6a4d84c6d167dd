import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createMediaProbe } from '../../../../electron/agent/files/containers/media-probe.ts';
import { createHashEngine, type HashAnswer } from '../../../../electron/agent/files/hashing/hash-engine.ts';
import { createHashPool } from '../../../../electron/agent/files/hashing/hash-pool.ts';
import { ownThreads } from '../../../../electron/agent/files/own-threads.ts';
import { smallFileThreads } from '../../../helpers/small-file-threads.ts';
import type { WorkerThreads } from '../../../../electron/agent/ports.ts';
import { createSystemClock } from '../../../../electron/agent/system-clock.ts';
import { createFakeClock } from '../../../helpers/fake-clock.ts';
import { createKeptLog } from '../../../helpers/queue-fixture.ts';

const clip = fileURLToPath(new URL('../../../fixtures/clips/turnstile-7.mp4', import.meta.url));
const clock = createSystemClock();
const never = new AbortController().signal;
const SIZE = 8 * 1024 * 1024;

let folder = '';
let fd = -1;
let returned: boolean[];
/** Threads that record how each of them was given back. */
const threads: WorkerThreads = {
  take: ownThreads.take,
  giveBack(worker, isClean) {
    returned.push(isClean);
    return ownThreads.giveBack(worker, isClean);
  },
};

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'threads-'));
  writeFileSync(join(folder, 'a.avi'), Buffer.alloc(SIZE));
  fd = openSync(join(folder, 'a.avi'), 'r');
});
beforeEach(() => {
  returned = [];
});
afterAll(() => {
  closeSync(fd);
  rmSync(folder, { recursive: true });
});

describe('a hash thread', () => {
  const pool = () => createHashPool({ rootPath: '/exports', clock, workers: threads, threads: 1 });
  const source = () => ({ fd, name: 'a.avi' });
  const part = () => ({ source: source(), offset: 0, length: SIZE, md5: true });

  it('goes back clean when everything was answered and closed', async () => {
    const one = pool();
    const whole = one.wholeHash(source());
    await Promise.all([whole.advance(SIZE), one.hashPart(part())]);
    whole.close();
    await one.stop();
    expect(returned).toEqual([true]);
  });

  it('does not while a file is open in it, or a part is under way', async () => {
    const open = pool();
    await open.wholeHash(source()).advance(100);
    await open.stop();
    const busy = pool();
    const answer = busy.hashPart(part());
    await busy.stop();
    expect(await answer).toMatchObject({ error: { code: 'CANCELLED' } });
    expect(returned).toEqual([false, false]);
  });

  it('answers nothing to a cancellation that comes after the answer', () => {
    const answers: HashAnswer[] = [];
    const engine = createHashEngine((answer) => answers.push(answer));
    engine.take({ kind: 'part', id: 1, fd, offset: 0, length: 100, sha256: true, md5: false, crc32: false });
    while (engine.step());
    engine.take({ kind: 'cancel', id: 1 });
    expect(answers.map(({ kind }) => kind)).toEqual(['sums']);
  });
});

describe('a probe thread', () => {
  it.each([
    ['clean', 'after its answer', true],
    ['to be ended', 'while a file is read', false],
  ])('goes back %s %s', async (_how, _when, isAnswered) => {
    const probe = createMediaProbe(clock, createKeptLog(), threads);
    const answer = probe.probe(clip, never);
    if (isAnswered) await answer;
    else await nextTurn();
    await probe.stop();
    expect((await answer).ok).toBe(isAnswered);
    expect(returned).toEqual([isAnswered]);
  });
});

describe('a snapshot thread', () => {
  it('goes back clean when all was answered, and not while a file is read', async () => {
    const version = { sizeBytes: 0, mtimeNs: '0', inode: '0', device: '0' };
    const request = { path: join(folder, 'a.avi'), rootPath: folder, name: 'a.avi', version };
    const reader = smallFileThreads(clock, threads);
    // The file is another version, which is an answer as well
    expect((await reader.sum(request)).ok).toBe(false);
    reader.stop();
    const broken = reader.sum(request);
    await nextTurn();
    reader.stop();
    await expect(broken).rejects.toThrow('stopping');
    expect(returned).toEqual([true, false]);
  });

  it('that was started ahead is the one that is used, and ends when nothing comes', async () => {
    const version = { sizeBytes: 0, mtimeNs: '0', inode: '0', device: '0' };
    const request = { path: join(folder, 'a.avi'), rootPath: folder, name: 'a.avi', version };
    let taken = 0;
    const take: WorkerThreads['take'] = (entry, options) => {
      taken += 1;
      return threads.take(entry, options);
    };
    const idle = createFakeClock();
    const reader = smallFileThreads(idle, { ...threads, take });
    reader.warmUp(folder);
    reader.warmUp('/elsewhere');
    expect(taken).toBe(2);
    expect((await reader.sum(request)).ok).toBe(false);
    expect(taken).toBe(2);
    await idle.advance(9_000);
    expect(returned).toEqual([]);
    await idle.advance(2_000);
    expect(returned).toEqual([true, true]);
    reader.stop();
  });
});
