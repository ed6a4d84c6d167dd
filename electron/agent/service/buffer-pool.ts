import type { Clock } from '../ports.ts';

/** Size of one buffer, bytes (1 MiB): measured to be as fast as larger ones, 64 KiB takes twice the CPU. */
export const BUFFER_BYTES = 1024 * 1024;
/** How long unused buffers are kept, milliseconds: longer than the pause between two files. */
const IDLE_MS = 5_000;

/** A bounded set of reused buffers, made when first needed and let go when none is in use for a while. */
export interface BufferPool {
  /** Waits for a free buffer, first come first served; rejects with the signal's reason. */
  acquire(signal?: AbortSignal): Promise<Buffer>;
  /** A free buffer if there is one now and nobody waits. */
  tryAcquire(): Buffer | undefined;
  /** Gives a buffer back; each exactly once. */
  release(buffer: Buffer): void;
  /** Buffers that exist, in use or kept. */
  readonly size: number;
  /** Lets unused buffers go at once; the pool can be used again afterwards. */
  stop(): void;
}

interface Waiter {
  readonly give: (buffer: Buffer) => void;
}

/** Makes a pool of at most `maxBuffers` buffers. */
export function createBufferPool(clock: Clock, maxBuffers: number): BufferPool {
  const free: Buffer[] = [];
  const used = new Set<Buffer>();
  const waiters = new Set<Waiter>();
  let stayAwake: (() => void) | undefined;

  function take(): Buffer | undefined {
    const buffer = free.pop() ?? (used.size < maxBuffers ? Buffer.allocUnsafeSlow(BUFFER_BYTES) : undefined);
    if (buffer === undefined) return undefined;
    stayAwake?.();
    stayAwake = undefined;
    used.add(buffer);
    return buffer;
  }

  function wait(signal: AbortSignal | undefined): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        waiters.delete(waiter);
        reject(signal?.reason);
      };
      const waiter: Waiter = {
        give(buffer) {
          signal?.removeEventListener('abort', giveUp);
          resolve(buffer);
        },
      };
      signal?.addEventListener('abort', giveUp, { once: true });
      waiters.add(waiter);
    });
  }

  function freeWhenIdle(): void {
    stayAwake = clock.after(IDLE_MS, () => void free.splice(0));
  }

  return {
    async acquire(signal) {
      signal?.throwIfAborted();
      return take() ?? wait(signal);
    },
    tryAcquire: () => (waiters.size === 0 ? take() : undefined),
    release(buffer) {
      if (!used.has(buffer)) throw new Error('A buffer was given back that is not in use');
      const [next] = waiters;
      if (next !== undefined) {
        waiters.delete(next);
        next.give(buffer);
        return;
      }
      used.delete(buffer);
      free.push(buffer);
      if (used.size === 0) freeWhenIdle();
    },
    get size() {
      return free.length + used.size;
    },
    stop() {
      stayAwake?.();
      free.length = 0;
    },
  };
}
