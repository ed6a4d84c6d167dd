/** Runs a limited number of tasks at a time and keeps a limited number waiting, first come first served. */
export interface Semaphore {
  /** Runs the task when there is room for it; undefined when too many are waiting already. */
  run<T>(task: () => Promise<T>): Promise<T> | undefined;
}

export function createSemaphore(limits: { readonly atOnce: number; readonly waiting: number }): Semaphore {
  const waiting: (() => void)[] = [];
  let running = 0;

  async function runNow<T>(task: () => Promise<T>): Promise<T> {
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      // The place goes to the next in line, so that no newcomer gets ahead of it
      if (next === undefined) running -= 1;
      else next();
    }
  }

  return {
    run(task) {
      if (running < limits.atOnce) {
        running += 1;
        return runNow(task);
      }
      if (waiting.length >= limits.waiting) return undefined;
      return new Promise<void>((resolve) => void waiting.push(resolve)).then(() => runNow(task));
    },
  };
}
