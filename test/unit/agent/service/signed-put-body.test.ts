import { describe, expect, it } from 'vitest';
import {
  BUFFER_BYTES,
  createBodyReader,
  createBufferPool,
} from '../../../../electron/agent/service/signed-put-body.ts';
import { createRateLimit } from '../../../../electron/agent/service/rate-limit.ts';
import { createManualClock, settle } from '../upload/manual-clock.ts';

describe('createBufferPool', () => {
  it('makes buffers when they are needed and uses them again', async () => {
    const pool = createBufferPool(createManualClock(), 3);
    expect(pool.size).toBe(0);
    const first = await pool.acquire();
    expect(first.length).toBe(BUFFER_BYTES);
    pool.release(first);
    expect(await pool.acquire()).toBe(first);
    expect(pool.size).toBe(1);
  });

  it('never has more than its bound and serves those who wait in order', async () => {
    const pool = createBufferPool(createManualClock(), 2);
    const [one, two] = [await pool.acquire(), await pool.acquire()];
    const served: string[] = [];
    const third = pool.acquire().then((buffer) => served.push('third') && buffer);
    const fourth = pool.acquire().then((buffer) => served.push('fourth') && buffer);
    await settle();
    expect(served).toEqual([]);
    expect(pool.tryAcquire()).toBeUndefined();
    pool.release(two);
    pool.release(one);
    expect(await Promise.all([third, fourth])).toEqual([two, one]);
    expect(served).toEqual(['third', 'fourth']);
    expect(pool.size).toBe(2);
  });

  it('gives up waiting with the reason of the signal', async () => {
    const pool = createBufferPool(createManualClock(), 1);
    const held = await pool.acquire();
    const stopping = new AbortController();
    const waiting = pool.acquire(stopping.signal);
    stopping.abort(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
    await expect(pool.acquire(stopping.signal)).rejects.toThrow('stopped');
    pool.release(held);
    expect(pool.tryAcquire()).toBe(held);
  });

  it('lets buffers go after a while without work, not before', async () => {
    const clock = createManualClock();
    const pool = createBufferPool(clock, 4);
    const buffers = [await pool.acquire(), await pool.acquire()];
    pool.release(buffers[0] ?? Buffer.alloc(0));
    await clock.advance(60_000);
    expect(pool.size).toBe(2);
    pool.release(buffers[1] ?? Buffer.alloc(0));
    await clock.advance(4_000);
    const again = await pool.acquire();
    await clock.advance(60_000);
    expect(pool.size).toBe(2);
    pool.release(again);
    await clock.advance(6_000);
    expect(pool.size).toBe(0);
  });

  it('takes up a buffer again that it let go and that still exists', async () => {
    const clock = createManualClock();
    const pool = createBufferPool(clock, 2);
    const buffer = await pool.acquire();
    pool.release(buffer);
    await clock.advance(6_000);
    expect(pool.size).toBe(0);
    // Vitest would need minutes for a diff of two buffers
    const again = [await pool.acquire(), await pool.acquire()];
    expect(again.map((each) => each === buffer)).toEqual([true, false]);
  });

  it('leaves no timer behind when it is stopped', async () => {
    const clock = createManualClock();
    const pool = createBufferPool(clock, 1);
    pool.release(await pool.acquire());
    expect(clock.sleepers).toBe(1);
    pool.stop();
    expect(clock.sleepers).toBe(0);
    expect(pool.size).toBe(0);
  });

  it('throws when a buffer is given back twice', async () => {
    const pool = createBufferPool(createManualClock(), 1);
    const buffer = await pool.acquire();
    pool.release(buffer);
    expect(() => pool.release(buffer)).toThrow('not in use');
  });
});

describe('a body that is held in memory', () => {
  it('is sent from where it lies, in steps of the limit, each in use until the socket has taken it', async () => {
    const memory = Buffer.alloc(BUFFER_BYTES + 500, 'b');
    let users = 0;
    const use = () => {
      users += 1;
      return () => void (users -= 1);
    };
    const clock = createManualClock();
    const pool = createBufferPool(clock, 1);
    const limiter = createRateLimit(clock, null);
    const range = { offset: 7 * BUFFER_BYTES, length: BUFFER_BYTES + 100, pool, limiter };
    const source = { bytes: memory.subarray(200, 300 + BUFFER_BYTES), use };
    const reader = createBodyReader({ ...range, source, signal: new AbortController().signal });
    const chunks = [await reader.next(), await reader.next()].flatMap((read) =>
      read.ok ? [read.value] : [],
    );
    expect(
      chunks.map(({ bytes, isLast }) => [bytes.byteOffset - memory.byteOffset, bytes.length, isLast]),
    ).toEqual([
      [200, BUFFER_BYTES, false],
      [200 + BUFFER_BYTES, 100, true],
    ]);
    expect([users, pool.size]).toEqual([2, 0]);
    for (const chunk of chunks) chunk.release();
    expect(users).toBe(0);
  });
});
