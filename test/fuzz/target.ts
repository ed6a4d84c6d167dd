import fc from 'fast-check';

/** Most CPU time for one input, milliseconds: a reader that needs more can be blocked by a file. */
const MOST_CPU_MS = 1_000;

/** Code that reads what others wrote. */
export interface FuzzTarget {
  readonly name: string;
  readonly what: string;
  /** Tries inputs for this long; returns the failure, made as small as possible. */
  run(seed: number, limitMs: number): Promise<FuzzOutcome>;
}

export interface FuzzOutcome {
  readonly runs: number;
  /** The failing input, and how it failed; undefined when none did. */
  readonly failure: string | undefined;
}

/** A target that passes each input to `take`, which must not throw, take long, or modify prototypes. */
export function fuzzTarget<T>(
  name: string,
  what: string,
  inputs: fc.Arbitrary<T>,
  take: (input: T) => void | Promise<void>,
): FuzzTarget {
  return {
    name,
    what,
    async run(seed, limitMs) {
      const property = fc.asyncProperty(inputs, async (input) => {
        const before = process.threadCpuUsage();
        await take(input);
        const { user, system } = process.threadCpuUsage(before);
        const cpuMs = (user + system) / 1_000;
        if (cpuMs > MOST_CPU_MS) throw new Error(`It took ${Math.round(cpuMs)} ms of processor time`);
        if ('polluted' in {} || 'isAdmin' in {}) throw new Error('It changed the prototype of all objects');
      });
      const details = await fc.check(property, {
        seed,
        numRuns: Number.MAX_SAFE_INTEGER,
        interruptAfterTimeLimit: limitMs,
      });
      const { counterexample, errorInstance } = details;
      const failure = details.failed
        ? `${String(errorInstance)}\n${shown(errorInstance)}\nwith ${fc.stringify(counterexample)}`
        : undefined;
      return { runs: details.numRuns, failure };
    },
  };
}

const shown = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? '').split('\n').slice(1, 6).join('\n') : '';

/** Throws with the given words unless the condition holds. */
export function must(isSo: boolean, words: string): void {
  if (!isSo) throw new Error(words);
}
