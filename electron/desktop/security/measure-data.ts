/** What of a message can be carried on. */
export type Measure = 'fits' | 'too large' | 'no plain data';

/** Deepest nesting that is followed: the contract has six levels. */
const DEEPEST = 16;
/** What a value costs beside its text, so that a million empty lists are not free. */
const COST_OF_VALUE = 4;

/**
 * Whether a value that came over the bridge is plain data (what JSON can say, and `undefined`) of at most `limit`
 * characters. Looks no further than the limit; loops end at the depth.
 */
export function measureData(value: unknown, limit: number): Measure {
  let left = limit;

  /** The problem with a value, or undefined. */
  function take(each: unknown, depth: number): Exclude<Measure, 'fits'> | undefined {
    left -= COST_OF_VALUE;
    if (typeof each === 'string') left -= each.length;
    if (left < 0) return 'too large';
    if (each === null || ['string', 'number', 'boolean', 'undefined'].includes(typeof each)) return undefined;
    if (typeof each !== 'object' || depth >= DEEPEST) return 'no plain data';
    return Array.isArray(each) ? takeAll(each, depth) : takeObject(each, depth);
  }

  function takeAll(values: readonly unknown[], depth: number): Exclude<Measure, 'fits'> | undefined {
    for (const each of values) {
      const problem = take(each, depth + 1);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  function takeObject(object: object, depth: number): Exclude<Measure, 'fits'> | undefined {
    const prototype: unknown = Object.getPrototypeOf(object);
    if (prototype !== Object.prototype && prototype !== null) return 'no plain data';
    for (const [name, each] of Object.entries(object)) {
      left -= name.length;
      const problem = take(each, depth + 1);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  return take(value, 0) ?? 'fits';
}
