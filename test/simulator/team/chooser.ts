import { createRandom } from '../faults/random.ts';

/** Choices that are the same for the same seed. */
export interface Chooser {
  /** A whole number, both ends included. */
  whole(from: number, to: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** This many different items, or all if there are fewer. */
  some<T>(items: readonly T[], count: number): readonly T[];
  /** A text of this many characters from the alphabet. */
  text(alphabet: string, length: number): string;
}

export function createChooser(seed: number): Chooser {
  const random = createRandom(seed);
  const whole = (from: number, to: number) => from + Math.floor(random() * (to - from + 1));
  const pick = <T>(items: readonly T[]): T => items[whole(0, items.length - 1)]!;
  return {
    whole,
    pick,
    chance: (probability) => random() < probability,
    some(items, count) {
      const left = [...items];
      return Array.from({ length: Math.min(count, left.length) }, () =>
        left.splice(whole(0, left.length - 1), 1),
      ).flat();
    },
    text: (alphabet, length) =>
      Array.from({ length }, () => alphabet.charAt(whole(0, alphabet.length - 1))).join(''),
  };
}
