import type { Clock } from '../../ports.ts';
import { createHashPool, type HashPool } from './hash-pool.ts';

/** How long a stop waits for threads, milliseconds: one that hangs in a dead share cannot be ended. */
const STOP_DEADLINE_MS = 2000;

/** Hash threads by watched root: a share that hangs holds its own threads and nobody else's. */
export interface HashPools {
  of(rootPath: string): HashPool;
  stop(): Promise<void>;
}

/** Makes the pools; threads start when they are first needed and end when idle. */
export function createHashPools(clock: Clock): HashPools {
  const pools = new Map<string, HashPool>();
  return {
    of(rootPath) {
      const pool = pools.get(rootPath) ?? createHashPool({ clock });
      pools.set(rootPath, pool);
      return pool;
    },
    async stop() {
      const deadline = new AbortController();
      const late = clock.sleep(STOP_DEADLINE_MS, deadline.signal).catch(() => undefined);
      await Promise.race([Promise.all([...pools.values()].map((pool) => pool.stop())), late]);
      deadline.abort();
    },
  };
}
