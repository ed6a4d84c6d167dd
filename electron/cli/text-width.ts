/** Characters that terminals draw over two cells. */
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]/u;
/** Characters that are drawn onto the one before. */
const JOINED = /[\p{Mn}\p{Me}\u{1f3fb}-\u{1f3ff}]/u;

const CUT = '…';

/** How many cells of a terminal a text takes; hidden characters must have been made visible before. */
export function textWidth(text: string): number {
  return [...text].reduce((cells, character) => cells + cellsOf(character), 0);
}

function cellsOf(character: string): number {
  if (character < '\u0300') return 1;
  if (JOINED.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

/** Where a text that is too long loses something: both ends of a name tell something, of a list the beginning. */
export type CutPlace = 'middle' | 'end';

/** A text that takes at most so many cells. */
export function cutText(text: string, widestCells: number, place: CutPlace = 'middle'): string {
  if (textWidth(text) <= widestCells) return text;
  const headCells = place === 'end' ? widestCells - 1 : Math.ceil((widestCells - 1) / 2);
  const head = take([...text], headCells);
  const tailCells = place === 'end' ? 0 : widestCells - 1 - textWidth(head.join(''));
  const tail = take([...text].toReversed(), tailCells).toReversed();
  // A mark without the letter that it belongs to would be drawn onto something else
  while (tail[0] !== undefined && cellsOf(tail[0]) === 0) tail.shift();
  return `${head.join('')}${CUT}${tail.join('')}`;
}

/** The first characters that fit; marks that are drawn onto the last one stay with it. */
function take(characters: readonly string[], cells: number): string[] {
  let room = cells;
  const end = characters.findIndex((character) => (room -= cellsOf(character)) < 0);
  return characters.slice(0, end === -1 ? undefined : end);
}
