import { EventEmitter } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { createHashThread } from '../../../../../electron/agent/files/hashing/hash-thread.ts';
import type { WorkerThreads } from '../../../../../electron/agent/ports.ts';
import { createFakeClock } from '../../../../helpers/fake-clock.ts';

/** A worker that answers pings unless it hangs, and answers nothing else. */
class StandInWorker extends EventEmitter {
  isHung = false;
  postMessage({ kind }: { readonly kind: string }): void {
    if (kind === 'ping' && !this.isHung) this.emit('message', { id: 0, kind: 'alive' });
  }
}

function setUp() {
  const clock = createFakeClock();
  const worker = new StandInWorker();
  const ended = Promise.withResolvers<void>();
  const threads: WorkerThreads = {
    take: () => worker as unknown as Worker,
    giveBack: () => ended.promise,
  };
  return { clock, worker, thread: createHashThread(threads, clock), end: ended.resolve };
}

const part = { kind: 'part', fd: 1, offset: 0, length: 1, sha256: true, md5: false, crc32: false } as const;

describe('a hash thread', () => {
  it('fault 39: that hangs in a read answers so after half a minute, and at once until the read returns', async () => {
    const { clock, worker, thread, end } = setUp();
    worker.isHung = true;
    const asked = thread.ask(part);
    await clock.advance(41_000);
    expect(await asked).toMatchObject({ kind: 'hung' });
    expect(await thread.ask(part)).toMatchObject({ kind: 'hung' });
    end();
    await new Promise((resolve) => setImmediate(resolve));
    worker.isHung = false;
    const again = thread.ask(part);
    worker.emit('message', { id: 3, kind: 'sums', sums: {} });
    expect(await again).toMatchObject({ kind: 'sums' });
    await thread.stop();
  });

  it('never goes on with the hash of a file that ended with a thread that hung', async () => {
    const { clock, worker, thread, end } = setUp();
    const range = { kind: 'advance', fd: 1, length: 8, crc32: false } as const;
    const asked = thread.ask({ ...range, stream: 1, offset: 0 });
    worker.emit('message', { id: 1, kind: 'sums', sums: {} });
    await asked;
    worker.isHung = true;
    const hung = thread.ask(part);
    await clock.advance(41_000);
    expect(await hung).toMatchObject({ kind: 'hung' });
    end();
    await new Promise((resolve) => setImmediate(resolve));
    worker.isHung = false;
    expect(await thread.ask({ kind: 'digest', stream: 1 })).toMatchObject({ kind: 'hung' });
    expect(await thread.ask({ ...range, stream: 1, offset: 8 })).toMatchObject({ kind: 'hung' });
    const second = thread.ask({ ...range, stream: 2, offset: 0 });
    worker.emit('message', { id: 5, kind: 'sums', sums: {} });
    expect(await second).toMatchObject({ kind: 'sums' });
    await thread.stop();
  });

  it('that crashed is not taken for one that hangs, by no file that was being hashed in it', async () => {
    const { worker, thread, end } = setUp();
    const asked = thread.ask({ kind: 'advance', fd: 1, length: 8, crc32: false, stream: 1, offset: 0 });
    worker.emit('message', { id: 1, kind: 'sums', sums: {} });
    await asked;
    const other = thread.ask(part);
    worker.emit('error', new Error('out of memory'));
    await expect(other).rejects.toThrow('out of memory');
    await expect(thread.ask({ kind: 'digest', stream: 1 })).rejects.toThrow('out of memory');
    const next = thread.ask(part);
    worker.emit('message', { id: 4, kind: 'sums', sums: {} });
    expect(await next).toMatchObject({ kind: 'sums' });
    end();
    await thread.stop();
  });

  it('is waited for as long as it answers, however slow its file is', async () => {
    const { clock, worker, thread } = setUp();
    const asked = thread.ask(part);
    await clock.advance(10 * 60_000);
    worker.emit('message', { id: 1, kind: 'sums', sums: {} });
    expect(await asked).toMatchObject({ kind: 'sums' });
  });

  it('that cannot begin because no handle is free says so', async () => {
    const { worker, thread } = setUp();
    const asked = thread.ask(part);
    worker.emit('error', new Error('Worker initialization failure: EMFILE'));
    expect(await asked).toMatchObject({ kind: 'error', name: 'EMFILE' });
  });
});
