import { posix } from 'node:path';
import type { SourceFacts } from './source-facts.ts';

/** Groups of files that import one another, directly or indirectly (Tarjan); each is sorted, and type imports count. */
export function findCycles(files: readonly SourceFacts[]): readonly (readonly string[])[] {
  const targets = new Map(
    files.map(({ path, imports }) => [
      path,
      imports
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => posix.join(posix.dirname(path), specifier)),
    ]),
  );
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const open: string[] = [];
  const groups: string[][] = [];

  function visit(path: string): number {
    const mine = index.size;
    index.set(path, mine);
    low.set(path, mine);
    open.push(path);
    for (const target of targets.get(path) ?? []) {
      if (!targets.has(target)) continue;
      const reached = index.has(target)
        ? open.includes(target)
          ? index.get(target)
          : undefined
        : visit(target);
      low.set(path, Math.min(low.get(path) ?? mine, reached ?? mine));
    }
    const lowest = low.get(path) ?? mine;
    if (lowest === mine) {
      const group = open.splice(open.indexOf(path));
      if (group.length > 1) groups.push(group.toSorted());
    }
    return lowest;
  }

  for (const path of targets.keys()) if (!index.has(path)) visit(path);
  return groups;
}
