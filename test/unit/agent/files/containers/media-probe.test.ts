import { execFileSync } from 'node:child_process';
import {
  chmod,
  copyFile,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  createMediaProbe,
  PROBE_DEADLINE_MS,
} from '../../../../../electron/agent/files/containers/media-probe.ts';
import type { MediaProbe } from '../../../../../electron/agent/files/containers/media-probe.ts';
import { ownThreads } from '../../../../../electron/agent/files/own-threads.ts';
import type { Clock, Logger } from '../../../../../electron/agent/ports.ts';
import { createSystemClock } from '../../../../../electron/agent/system-clock.ts';
import { sharedThreads } from '../../../../helpers/shared-threads.ts';

const clips = fileURLToPath(new URL('../../../../fixtures/clips/', import.meta.url));
const logger: Logger = { debug() {}, info() {}, warn() {}, error() {} };
const realClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (delayMs, signal) => delay(delayMs, undefined, signal ? { signal } : {}),
  after: createSystemClock().after,
  random: () => 0.5,
};
/** A clock whose sleeps all end after 200 ms, so that every deadline passes. */
const hastyClock: Clock = { ...realClock, sleep: (_delayMs, signal) => realClock.sleep(200, signal) };
const never = new AbortController().signal;

let folder = '';
let probe: MediaProbe | undefined;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'probe-'));
});
afterEach(() => probe?.stop());
afterAll(() => rm(folder, { recursive: true }));

/** A worker that runs the code given by a test. */
const workerOf = async (name: string, body: string) => {
  const path = join(folder, `${name}.mjs`);
  await writeFile(path, `import { parentPort } from 'node:worker_threads';\n${body}`);
  return pathToFileURL(path);
};

describe('real clips', () => {
  it.each([
    ['gate-4-north.mp4', { durationMs: 4000, format: 'MPEG-4', width: 640, height: 360 }],
    [
      'turnstile-7.mp4',
      { durationMs: 3000, width: 480, height: 270, createdAtMs: Date.parse('2026-05-01T18:30:05Z') },
    ],
    ['car-park.mp4', { durationMs: 6000, width: 640, height: 360 }],
    ['corridor-fragmented.mp4', { durationMs: 4000, width: 320, height: 180 }],
    ['concourse.mkv', { durationMs: 5000, format: 'Matroska', width: 640, height: 360 }],
  ])('%s tells its facts', async (name, expected) => {
    probe = createMediaProbe(realClock, logger, sharedThreads);
    const result = await probe.probe(join(clips, name), never);
    if (!result.ok) throw new Error(result.error.message);
    const { durationMs, ...others } = expected;
    expect(result.value).toMatchObject({ ...others, videoCodec: 'AVC', frameRate: 12 });
    expect(Math.abs((result.value.durationMs ?? 0) - durationMs)).toBeLessThan(150);
  });

  it('are told apart when many are asked for at once', async () => {
    probe = createMediaProbe(realClock, logger, sharedThreads);
    const names = (await readdir(clips)).filter((name) => /\.(?:mp4|mkv)$/.test(name));
    const one = probe;
    const together = await Promise.all(names.map((name) => one.probe(join(clips, name), never)));
    for (const [index, name] of names.entries()) {
      expect(together[index], name).toEqual(await one.probe(join(clips, name), never));
    }
    expect(new Set(together.map((result) => JSON.stringify(result))).size).toBe(names.length);
  });
});

describe('files that are no clips', () => {
  it('are answered without facts, and the next clip is read as ever', async () => {
    probe = createMediaProbe(realClock, logger, sharedThreads);
    await writeFile(join(folder, 'text.mp4'), '#!/bin/sh\necho hello\n');
    await writeFile(join(folder, 'empty.mp4'), '');
    const cut = join(folder, 'cut.mp4');
    await copyFile(join(clips, 'turnstile-7.mp4'), cut);
    await truncate(cut, 900);
    for (const name of ['text.mp4', 'empty.mp4', 'cut.mp4']) {
      const result = await probe.probe(join(folder, name), never);
      if (!result.ok) throw new Error(result.error.message);
      if (name !== 'cut.mp4') expect(result.value.width, name).toBeUndefined();
    }
    expect(await probe.probe(join(clips, 'car-park.mp4'), never)).toMatchObject({
      ok: true,
      value: { width: 640 },
    });
  });

  it('are refused as links, pipes, devices, folders, or gone', async () => {
    probe = createMediaProbe(realClock, logger, sharedThreads);
    await symlink(join(clips, 'car-park.mp4'), join(folder, 'link.mp4'));
    await symlink('loop.mp4', join(folder, 'loop.mp4'));
    await symlink('/dev/zero', join(folder, 'zero.mp4'));
    execFileSync('mkfifo', [join(folder, 'pipe.mp4')]);
    const cases = [
      ['link.mp4', 'FILE_LINK'],
      ['loop.mp4', 'FILE_LINK'],
      ['zero.mp4', 'FILE_LINK'],
      ['pipe.mp4', 'FILE_NOT_REGULAR'],
      ['.', 'FILE_NOT_REGULAR'],
      ['gone.mp4', 'FILE_GONE'],
    ] as const;
    for (const [name, code] of cases) {
      expect(await probe.probe(join(folder, name), never), name).toMatchObject({
        ok: false,
        error: { code },
      });
    }
    expect(await probe.probe('/dev/zero', never)).toMatchObject({ error: { code: 'FILE_NOT_REGULAR' } });
  });

  it.skipIf(process.getuid?.() === 0)(
    'are refused without permission (not testable as root, who may read everything)',
    async () => {
      probe = createMediaProbe(realClock, logger, sharedThreads);
      const path = join(folder, 'secret.mp4');
      await writeFile(path, 'x');
      await chmod(path, 0);
      expect(await probe.probe(path, never)).toMatchObject({ error: { code: 'FILE_NO_ACCESS' } });
    },
  );

  it('have hidden characters shown in what is said of them', async () => {
    probe = createMediaProbe(realClock, logger, sharedThreads);
    const result = await probe.probe(join(folder, 'a\u202eb\n.mp4'), never);
    expect(result).toMatchObject({
      error: { message: expect.stringContaining('a<U+202E>b␊.mp4') as string },
    });
  });
});

describe('the worker', () => {
  const echo = `parentPort.on('message', ({ id, path }) => {`;
  const answer = `parentPort.postMessage({ id, result: { ok: true, value: { format: path } } });`;

  it('is ended at the deadline and starts again for the next file', async () => {
    const url = await workerOf('hangs', `${echo} if (path !== 'hang') ${answer} else while (true); });`);
    probe = createMediaProbe(hastyClock, logger, ownThreads, url);
    expect(await probe.probe('hang', never)).toEqual({ ok: true, value: {} });
    const patient = createMediaProbe(realClock, logger, ownThreads, url);
    expect(await patient.probe('next', never)).toMatchObject({ ok: true, value: { format: 'next' } });
    await patient.stop();
    expect(PROBE_DEADLINE_MS).toBe(20_000);
  });

  it.each([
    ['throws', 'throw new Error("broken")'],
    ['exits', 'process.exit(3)'],
  ])('fault 8: that %s fails one file, not the next', async (name, deed) => {
    const url = await workerOf(name, `${echo} if (path === 'bad') ${deed}; ${answer} });`);
    probe = createMediaProbe(realClock, logger, ownThreads, url);
    expect(await probe.probe('good', never)).toMatchObject({ ok: true });
    expect(await probe.probe('bad', never)).toEqual({ ok: true, value: {} });
    expect(await probe.probe('good', never)).toMatchObject({ ok: true });
  });

  it('fault 8: that dies while idle is replaced, and not waited for', async () => {
    const url = await workerOf(
      'idle',
      `${echo} ${answer} if (path === 'one') setImmediate(() => process.exit(0)); });`,
    );
    const clock: Clock = { ...realClock, sleep: (_delayMs, signal) => realClock.sleep(5000, signal) };
    const exited = new Promise((resolve) => {
      process.once('worker', (worker) => worker.once('exit', resolve));
    });
    probe = createMediaProbe(clock, logger, ownThreads, url);
    expect(await probe.probe('one', never)).toMatchObject({ ok: true });
    await exited;
    expect(await probe.probe('two', never)).toMatchObject({ ok: true });
  });

  it('answers CANCELLED at once when it is asked to stop, running or waiting', async () => {
    const url = await workerOf('forever', `${echo} });`);
    probe = createMediaProbe(realClock, logger, ownThreads, url);
    const running = new AbortController();
    const waiting = new AbortController();
    const first = probe.probe('first', running.signal);
    const second = probe.probe('second', waiting.signal);
    waiting.abort();
    expect(await second).toMatchObject({ error: { code: 'CANCELLED' } });
    running.abort();
    expect(await first).toMatchObject({ error: { code: 'CANCELLED' } });
    expect(await probe.probe('third', AbortSignal.abort())).toMatchObject({ error: { code: 'CANCELLED' } });
  });

  it('ends on stop: what runs and what comes later answers CANCELLED', async () => {
    const url = await workerOf('endless', `${echo} });`);
    const stopped = createMediaProbe(realClock, logger, ownThreads, url);
    const running = stopped.probe('a', never);
    const waiting = stopped.probe('b', never);
    await stopped.stop();
    for (const result of [running, waiting, stopped.probe('c', never)]) {
      expect(await result).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
    }
  });

  it('leaves no file open', async () => {
    probe = createMediaProbe(realClock, logger, sharedThreads);
    // Other tests of this process read the clips beside it
    const path = join(folder, 'own.mp4');
    await copyFile(join(clips, 'gate-4-north.mp4'), path);
    expect((await probe.probe(path, never)).ok).toBe(true);
    await probe.probe(join(folder, 'text.mp4'), never);
    const links = await readdir('/proc/self/fd');
    const { readlink } = await import('node:fs/promises');
    const targets = await Promise.all(links.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
    expect(targets.filter((target) => target.startsWith(folder))).toEqual([]);
  });
});

it('changes nothing in the files it reads', async () => {
  probe = createMediaProbe(realClock, logger, sharedThreads);
  const before = await readFile(join(clips, 'concourse.mkv'));
  await probe.probe(join(clips, 'concourse.mkv'), never);
  expect(before.equals(await readFile(join(clips, 'concourse.mkv')))).toBe(true);
});
