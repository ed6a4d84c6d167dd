import { createRandom } from '../simulator/faults/random.ts';

/** Seeded random choices. */
export interface Dice {
  /** A number in [0, 1). */
  share(): number;
  /** A whole number from `least` to `most`. */
  between(least: number, most: number): number;
  chance(probability: number): boolean;
  pick<T>(values: readonly T[]): T;
}

export function createDice(seed: number): Dice {
  const share = createRandom(seed);
  const between = (least: number, most: number) => least + Math.floor(share() * (most - least + 1));
  return {
    share,
    between,
    chance: (probability) => share() < probability,
    pick(values) {
      const value = values[between(0, values.length - 1)];
      if (value === undefined) throw new Error('There is nothing to choose from');
      return value;
    },
  };
}
