/** Longest word that is compared, characters: anything longer is not a typo. */
const LONGEST_WORD = 64;

/** The known word that `word` most likely stands for; undefined if none is close. */
export function suggestKey(word: string, known: readonly string[]): string | undefined {
  const typed = simplify(word);
  if (typed === '' || typed.length > LONGEST_WORD) return undefined;
  let best: { readonly key: string; readonly distance: number } | undefined;
  for (const key of known) {
    const distance = nearness(typed, simplify(key));
    if (distance !== undefined && (best === undefined || distance < best.distance)) best = { key, distance };
  }
  return best?.key;
}

/** Ignores case and separators, the most common typos: `base_url` for `baseUrl`. */
const simplify = (word: string): string => word.toLowerCase().replaceAll(/[-_ ]/g, '');

function nearness(typed: string, key: string): number | undefined {
  const distance = editDistance(typed, key);
  if (distance <= Math.max(1, Math.floor(Math.max(typed.length, key.length) / 3))) return distance;
  const isPrefix = typed.length >= 3 && (key.startsWith(typed) || typed.startsWith(key)) && key.length >= 3;
  return isPrefix ? distance : undefined;
}

/** Number of insertions, deletions, replacements and swaps of neighbours between two words. */
export function editDistance(left: string, right: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const same = left[row - 1] === right[column - 1];
      let cost = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      );
      const swapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (row > 1 && column > 1 && swapped) cost = Math.min(cost, (beforeLast[column - 2] ?? 0) + 1);
      current.push(cost);
    }
    beforeLast = last;
    last = current;
  }
  return last[right.length] ?? 0;
}
