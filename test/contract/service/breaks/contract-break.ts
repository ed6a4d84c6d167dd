/** A deliberate mistake in a copy of the product, and the rules whose tests must notice it. */
export interface ContractBreak {
  readonly file: string;
  /** Must occur in the file exactly once, so that a change to the product fails loudly here. */
  readonly find: string;
  readonly replace: string;
  /** Prefixes of titles ("Period | name"); each must match at least one rule, and every matching rule must go red. */
  readonly rules: readonly string[];
}

/** Several mistakes in one file, made one at a time. */
export function breaksIn(
  file: string,
  mistakes: readonly (readonly [find: string, replace: string, ...rules: string[]])[],
): readonly ContractBreak[] {
  return mistakes.map(([find, replace, ...rules]) => ({ file, find, replace, rules }));
}
