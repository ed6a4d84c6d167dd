import { describe, expect, it } from 'vitest';
import { enlargeThreadPool } from '../../../../electron/agent/files/enlarge-thread-pool.ts';

describe('thread pool', () => {
  it.each([
    [{}, 3, '18'],
    [{ UV_THREADPOOL_SIZE: '64' }, 3, '64'],
    [{ UV_THREADPOOL_SIZE: '2' }, 3, '18'],
    [{ UV_THREADPOOL_SIZE: 'many' }, 1, '14'],
    [{}, 10_000, '1024'],
  ])('in %j with %s roots has %s threads', (environment: NodeJS.ProcessEnv, rootCount, size) => {
    expect(enlargeThreadPool(environment, rootCount)).toBe(Number(size));
    expect(environment['UV_THREADPOOL_SIZE']).toBe(size);
  });
});
