/** Lets so many work at a time, and so many more wait in their order. */
export interface Turns {
  /** Runs the task when it is its turn; undefined when too many wait already. */
  take<T>(task: () => Promise<T>): Promise<T> | undefined;
}

export function createTurns(limits: { readonly atOnce: number; readonly waiting: number }): Turns {
  const waiting: (() => void)[] = [];
  let running = 0;

  async function run<T>(task: () => Promise<T>): Promise<T> {
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      // Its place goes to the next one: who comes now must not get before it
      if (next === undefined) running -= 1;
      else next();
    }
  }

  return {
    take(task) {
      if (running < limits.atOnce) {
        running += 1;
        return run(task);
      }
      if (waiting.length >= limits.waiting) return undefined;
      return new Promise<void>((resolve) => void waiting.push(resolve)).then(() => run(task));
    },
  };
}
