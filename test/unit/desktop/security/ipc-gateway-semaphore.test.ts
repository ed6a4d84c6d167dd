import { describe, expect, it } from 'vitest';
import { createSemaphore } from '../../../../electron/desktop/security/ipc-gateway.ts';

/** A task that the test ends. */
function createTask(log: string[], name: string) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const run = async (): Promise<string> => {
    log.push(name);
    await promise;
    return name;
  };
  return { run, end: resolve };
}

const settle = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

describe('a semaphore', () => {
  it('lets two work, two wait in their order, and turns the rest away', async () => {
    const log: string[] = [];
    const semaphore = createSemaphore({ atOnce: 2, waiting: 2 });
    const tasks = ['a', 'b', 'c', 'd', 'e'].map((name) => createTask(log, name));
    const taken = tasks.map(({ run }) => semaphore.run(run));
    const answers = taken.map(async (answer) => answer);
    await settle();
    expect(log).toEqual(['a', 'b']);
    expect(taken[4]).toBeUndefined();
    tasks[1]?.end();
    await settle();
    expect(log).toEqual(['a', 'b', 'c']);
    for (const { end } of tasks) end();
    expect(await Promise.all(answers)).toEqual(['a', 'b', 'c', 'd', undefined]);
  });

  it('gives the turn on when a task fails', async () => {
    const semaphore = createSemaphore({ atOnce: 1, waiting: 1 });
    const failing = semaphore.run(() => Promise.reject(new Error('no')));
    const next = semaphore.run(() => Promise.resolve('yes'));
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('yes');
    expect(await semaphore.run(() => Promise.resolve('again'))).toBe('again');
  });

  it('lets nobody pass who came later', async () => {
    const log: string[] = [];
    const semaphore = createSemaphore({ atOnce: 1, waiting: 5 });
    const first = createTask(log, 'first');
    const running = semaphore.run(first.run);
    const waiting = semaphore.run(async () => void log.push('waited'));
    first.end();
    await running;
    const late = semaphore.run(async () => void log.push('late'));
    await Promise.all([waiting, late]);
    expect(log).toEqual(['first', 'waited', 'late']);
  });
});
