/** A deliberate mistake in a copy of the product, and the rules whose tests must notice it. */
export interface ContractBreak {
  readonly file: string;
  /** Must stand in the file exactly once: a product that changed makes this fail loudly. */
  readonly find: string;
  readonly replace: string;
  /** Beginnings of titles ("Period | name"); each must fit at least one rule, and every rule that fits must go red. */
  readonly rules: readonly string[];
}

/** Several mistakes in one file, one at a time. */
export function breaksIn(
  file: string,
  mistakes: readonly (readonly [find: string, replace: string, ...rules: string[]])[],
): readonly ContractBreak[] {
  return mistakes.map(([find, replace, ...rules]) => ({ file, find, replace, rules }));
}
