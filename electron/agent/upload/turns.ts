/** A number of places that work takes in order. */
export interface Turns {
  take<T>(work: () => Promise<T>): Promise<T>;
}

/** Creates the places. */
export function createTurns(places: number): Turns {
  const waiting: (() => void)[] = [];
  let free = places;
  return {
    async take(work) {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next === undefined) free += 1;
        else next();
      }
    },
  };
}
