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

/** The rows in view, by index; all rows have the same height. */
export interface RowRange {
  readonly first: number;
  readonly last: number;
  /** The React key of a row's element is `index - keyBase`. */
  readonly keyBase: number;
}

/** Rows rendered beyond each edge: scrolling less than this shows no gaps. */
export const OVERSCAN_ROWS = 8;

/**
 * The range after scrolling. A row that stays in view keeps its element. If none stays, the elements are reused for the
 * new rows: filling them is much cheaper than creating new ones.
 */
export function nextRange(before: RowRange, first: number, last: number): RowRange {
  if (first === before.first && last === before.last) return before;
  const isNear = first <= before.last + 2 * OVERSCAN_ROWS && last >= before.first - 2 * OVERSCAN_ROWS;
  return { first, last, keyBase: isNear ? before.keyBase : before.keyBase + first - before.first };
}

/** The rows to render: those in view, some around them, and the one under the cursor wherever it is. */
export function rowsToDraw({ first, last }: RowRange, rowCount: number, cursor: number): readonly number[] {
  const from = Math.max(0, Math.min(first, rowCount - 1) - OVERSCAN_ROWS);
  const to = Math.min(rowCount - 1, last + OVERSCAN_ROWS);
  const near = Array.from({ length: Math.max(0, to - from + 1) }, (_, offset) => from + offset);
  if (rowCount === 0 || (cursor >= from && cursor <= to)) return near;
  return cursor < from ? [cursor, ...near] : [...near, cursor];
}

const nothing: RowRange = { first: 0, last: 0, keyBase: 0 };

/** The rows in view of a scrolling box, and a function to scroll one into view. */
interface RowView {
  /** The scrolling box. */
  readonly box: RefObject<HTMLDivElement | null>;
  /** The element in it that holds the rows, below the sticky head. */
  readonly body: RefObject<HTMLDivElement | null>;
  readonly range: RowRange;
  readonly reveal: (index: number) => void;
}

/**
 * Tracks the scrolling of a box with rows of one height, in pixels. Rows are rendered in the same frame as the
 * scrolling.
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

/** The identity of a list, and its cursor. */
interface ListPlace {
  readonly key: string;
  readonly cursor: Cursor;
}

/**
 * Restores a list's scroll position once its rows are loaded, and saves it on leaving; does nothing without a place.
 */
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
  /** The row that was selected when the list was left: it needs no search. */
  readonly left: string | undefined;
  /** The selected row. */
  readonly wanted: string | undefined;
  /** The last row requested from outside, with the number of requests so far. */
  readonly asked: AskedRow | undefined;
  /** False while there are no rows to scroll to. */
  readonly isThere: boolean;
  readonly placeOf: ((rowId: string) => Promise<number | undefined>) | undefined;
  readonly onFound: (index: number, rowId: string) => void;
}

/** Rows selected in the grid itself. */
interface OwnRows {
  /** The selected row, as the address has it. */
  readonly wanted: string | undefined;
  /** The rows, oldest first: the first is `wanted`, or will be, and the address has yet to catch up with the others. */
  readonly rowIds: readonly string[];
  /** The number of requests from outside when the last of them was selected. */
  readonly times: number;
}

/**
 * Looks up each row that was selected outside the grid once, and again each time that the selected one is requested
 * again: scrolling away afterwards is not undone. Returns a function to call with each row selected in the grid itself.
 * That row is not looked up, however late the address catches up with it.
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

/** Calls `take` once the awaited row is loaded. */
export function useAwaitedRow<Row>(row: Row | undefined, take: (row: Row) => void): void {
  const go = useEffectEvent(take);
  useEffect(() => {
    if (row !== undefined) go(row);
  }, [row]);
}

/** Rows are added and removed above: the cursor looks for its row this far around its last index. */
const MOST_MOVED_ROWS = 200;

/** Last known position of the cursor; a row that is not loaded yet has no ID. */
export interface Cursor {
  readonly index: number;
  readonly id: string | undefined;
  /** The user moved here before the row was loaded: it is selected once it is. */
  readonly isAwaited?: boolean;
}

/** The current index of the cursor: it stays with its row when the rows around it change. */
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

/** The index a key moves the cursor to; undefined when the key does not move it. */
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
