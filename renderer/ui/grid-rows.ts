import {
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  type RefObject,
} from 'react';
import { flushSync } from 'react-dom';
import type { AskedRow } from '../stores/arrivals.ts';
import { useServices } from '../stores/services.ts';

/** Rows of one height that are in view, by index; `keyBase` makes the keys of their elements. */
export interface RowRange {
  readonly first: number;
  readonly last: number;
  /** A row's element has the key `index - keyBase`. */
  readonly keyBase: number;
}

/** Rows beyond the edges that are drawn too: what is scrolled by less than this is there already. */
export const OVERSCAN_ROWS = 8;

/**
 * The range after some scrolling. A row that stays in view keeps its element; where none of them stays the elements are
 * taken over by the rows that came instead: filling them is much cheaper than making new ones.
 */
export function nextRange(before: RowRange, first: number, last: number): RowRange {
  if (first === before.first && last === before.last) return before;
  const isNear = first <= before.last + 2 * OVERSCAN_ROWS && last >= before.first - 2 * OVERSCAN_ROWS;
  return { first, last, keyBase: isNear ? before.keyBase : before.keyBase + first - before.first };
}

/** The rows to draw: those in view, some around them, and the one under the cursor wherever it is. */
export function rowsToDraw({ first, last }: RowRange, rowCount: number, cursor: number): readonly number[] {
  const from = Math.max(0, Math.min(first, rowCount - 1) - OVERSCAN_ROWS);
  const to = Math.min(rowCount - 1, last + OVERSCAN_ROWS);
  const near = Array.from({ length: Math.max(0, to - from + 1) }, (_, offset) => from + offset);
  if (rowCount === 0 || (cursor >= from && cursor <= to)) return near;
  return cursor < from ? [cursor, ...near] : [...near, cursor];
}

const nothing: RowRange = { first: 0, last: 0, keyBase: 0 };

/** Which rows are in view of a box that scrolls, and the way to bring one there. */
interface RowView {
  /** The box. */
  readonly box: RefObject<HTMLDivElement | null>;
  /** What in it holds the rows, below a head that stays. */
  readonly body: RefObject<HTMLDivElement | null>;
  readonly range: RowRange;
  readonly reveal: (index: number) => void;
}

/**
 * Follows the scrolling of a box with rows of one height, in pixels. Rows are drawn in the same frame in which the box
 * was scrolled.
 */
export function useRowRange(rowHeight: number): RowView {
  const box = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const [range, setRange] = useState(nothing);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const look = (): void => {
      const first = Math.floor(element.scrollTop / rowHeight);
      const last = Math.floor((element.scrollTop + element.clientHeight - 1) / rowHeight);
      setRange((before) => nextRange(before, first, last));
    };
    const onScroll = (): void => flushSync(look);
    const resize = new ResizeObserver(look);
    look();
    element.addEventListener('scroll', onScroll, { passive: true });
    resize.observe(element);
    return () => {
      element.removeEventListener('scroll', onScroll);
      resize.disconnect();
    };
  }, [rowHeight]);
  const reveal = useCallback(
    (index: number) => {
      const element = box.current;
      if (element === null) return;
      const top = index * rowHeight;
      const headHeight = body.current?.offsetTop ?? 0;
      const lowest = top + rowHeight - (element.clientHeight - headHeight);
      element.scrollTo({ top: Math.min(top, Math.max(element.scrollTop, lowest)), behavior: 'instant' });
    },
    [rowHeight],
  );
  return { box, body, range, reveal };
}

/** What is listed, and which row the cursor is on. */
interface ListPlace {
  readonly key: string;
  readonly cursor: Cursor;
}

/** Scrolls a list to where it was left, as soon as its rows are there, and keeps how it is left; without a place neither. */
export function useLeftList(
  box: RefObject<HTMLDivElement | null>,
  place: ListPlace | undefined,
  isThere: boolean,
): void {
  const { leftLists } = useServices().preferences.getState();
  const latest = useRef(place);
  useLayoutEffect(() => {
    latest.current = place;
  });
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null || !isThere) return undefined;
    const left = leftLists.get(latest.current?.key ?? '');
    if (left !== undefined) element.scrollTo({ top: left.topPx, behavior: 'instant' });
    return () => {
      if (latest.current === undefined) return;
      const { key, cursor } = latest.current;
      leftLists.set(key, { topPx: element.scrollTop, cursor });
    };
  }, [box, isThere, leftLists]);
}

interface Seeking {
  /** The row that was chosen when the list was left: it was found before. */
  readonly left: string | undefined;
  /** The chosen row. */
  readonly wanted: string | undefined;
  /** Counts how often a row was asked for from outside, and says which it was last. */
  readonly asked: AskedRow | undefined;
  /** False while there are no rows to go to. */
  readonly isThere: boolean;
  readonly placeOf: ((rowId: string) => Promise<number | undefined>) | undefined;
  readonly onFound: (index: number, rowId: string) => void;
}

/** What was chosen in the grid itself. */
interface OwnRows {
  /** The chosen row as the address has it. */
  readonly wanted: string | undefined;
  /** The rows, oldest first: the first is `wanted`, or will be, and the address has still to come to the others. */
  readonly rowIds: readonly string[];
  /** How often a row had been asked for from outside when the last of them was chosen. */
  readonly times: number;
}

/**
 * Looks once for each row that was chosen elsewhere, and once more each time that the chosen one is asked for again:
 * whoever scrolls on from there is not called back. Returns the function to call with the row that was chosen in the grid
 * itself. That one is not looked for, however late the address comes to it.
 */
export function useSeekRow({
  left,
  wanted,
  asked,
  isThere,
  placeOf,
  onFound,
}: Seeking): (rowId: string) => void {
  const times = asked?.times ?? 0;
  const [own, setOwn] = useState<OwnRows>({ wanted, rowIds: left === undefined ? [] : [left], times });
  if (own.wanted !== wanted) {
    const at = wanted === undefined ? -1 : own.rowIds.indexOf(wanted);
    setOwn({ ...own, wanted, rowIds: at < 0 ? [] : own.rowIds.slice(at) });
  }
  const isSeen = own.rowIds.length > 0 && (asked?.rowId !== wanted || times === own.times);
  const sought = isThere && !isSeen ? wanted : undefined;
  const seek = useEffectEvent(async (rowId: string) => placeOf?.(rowId));
  const go = useEffectEvent((rowId: string, index: number) => {
    setOwn({ wanted: rowId, rowIds: [rowId], times });
    onFound(index, rowId);
  });
  useEffect(() => {
    if (sought === undefined) return undefined;
    let isOver = false;
    void seek(sought).then((index) => {
      if (!isOver && index !== undefined) go(sought, index);
    });
    return () => {
      isOver = true;
    };
  }, [sought, times]);
  return (rowId) => setOwn((before) => ({ ...before, rowIds: [...before.rowIds, rowId], times }));
}

/** Calls `take` when the row that is waited for is there. */
export function useAwaitedRow<Row>(row: Row | undefined, take: (row: Row) => void): void {
  const go = useEffectEvent(take);
  useEffect(() => {
    if (row !== undefined) go(row);
  }, [row]);
}

/** Rows come in above and go: the cursor looks for its row this far around the place where it was. */
const MOST_MOVED_ROWS = 200;

/** Where the cursor of a grid was put, and on which row; a row that is not there yet has no id. */
export interface Cursor {
  readonly index: number;
  readonly id: string | undefined;
  /** A person went there before the row was: it is chosen when it comes. */
  readonly isAwaited?: boolean;
}

/** Where the cursor is now: it stays with its row when the rows around it change. */
export function followCursor(
  { index, id }: Cursor,
  rowCount: number,
  idAt: (index: number) => string | undefined,
): number {
  const last = Math.max(0, rowCount - 1);
  for (let away = 0; id !== undefined && away <= MOST_MOVED_ROWS; away += 1) {
    if (index + away <= last && idAt(index + away) === id) return index + away;
    if (index - away >= 0 && idAt(index - away) === id) return index - away;
  }
  return Math.min(index, last);
}

/** Where a key moves the cursor of a grid to, or undefined when it moves nothing. */
export function moveCursor(
  key: string,
  from: number,
  rowCount: number,
  pageRows: number,
): number | undefined {
  if (rowCount === 0) return undefined;
  const to = targetOf(key, from, rowCount, pageRows);
  return to === undefined ? undefined : Math.min(Math.max(to, 0), rowCount - 1);
}

function targetOf(key: string, from: number, rowCount: number, pageRows: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
    case 'j':
      return from + 1;
    case 'ArrowUp':
    case 'k':
      return from - 1;
    case 'PageDown':
      return from + pageRows;
    case 'PageUp':
      return from - pageRows;
    case 'Home':
      return 0;
    case 'End':
      return rowCount - 1;
    default:
      return undefined;
  }
}
