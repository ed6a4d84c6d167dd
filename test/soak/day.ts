import type { FaultRule } from '../simulator/index.ts';
import type { Dice } from '../torture/dice.ts';
import type { SourceTree } from '../torture/source-tree.ts';

export const HOURS = 24;
/** Kills come in the hours before this one; after that a single life lasts and is measured. */
export const LAST_KILL_HOUR = 8;
/** Hours at which a shift ends and its exports are made, with the number of clips that come together. */
const shiftHours: Readonly<Record<number, number>> = { 6: 60, 14: 60, 22: 40 };
/** Nothing arrives at night. */
const quietHours: ReadonlySet<number> = new Set([1, 2, 3, 4]);
const LARGE_SHARE = 0.3;
const MOST_SOURCE_BYTES = 2_000_000_000;

/** Outages that take turns, one every second hour, each for a third of it. */
const outages: readonly (readonly [name: string, rules: readonly FaultRule[]])[] = [
  ['the service answers 503', [{ match: { listener: 'service' }, action: answer(503) }]],
  ['storage answers 500', [{ match: { listener: 'storage' }, action: answer(500) }]],
  ['connections are dropped', [{ match: {}, probability: 0.5, action: { kind: 'drop', when: 'after' } }]],
  ['the key is refused', [{ match: { listener: 'service' }, action: answer(401) }]],
  ['everything is late', [{ match: {}, action: { kind: 'delay', ms: 800 } }]],
  ['a login page', [{ match: { listener: 'service' }, action: { ...answer(200), body: '<html>Sign in' } }]],
  ['storage denies', [{ match: { listener: 'storage' }, action: answer(403) }]],
];

function answer(status: number) {
  return { kind: 'answer', status, when: 'before' } as const;
}

/** The outage of an hour, if it has one. */
export function outageOf(hour: number): (typeof outages)[number] | undefined {
  return hour % 2 === 1 ? outages[Math.floor(hour / 2) % outages.length] : undefined;
}

/** Adds the arrivals of one step of an hour; returns the number of clips. */
export function bringArrivals(tree: SourceTree, dice: Dice, hour: number, isFirstStep: boolean): number {
  const before = tree.clips().length;
  const burst = isFirstStep ? (shiftHours[hour] ?? 0) : 0;
  for (let left = burst; left > 0; left -= 10) tree.addFolder(Math.min(10, left));
  if (!quietHours.has(hour) && dice.chance(0.5)) tree.addFolder(dice.between(1, 4));
  const folder = tree.folders().at(-1);
  const isRoom = tree.totalBytes() < MOST_SOURCE_BYTES;
  if (folder !== undefined && isRoom && isFirstStep && dice.chance(LARGE_SHARE)) tree.addLarge(folder);
  return tree.clips().length - before;
}
