import { useCallback, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { nextRange, type RowRange } from './row-range.ts';

const nothing: RowRange = { first: 0, last: 0, keyBase: 0 };

/** Which rows are in view of a box that scrolls, and the way to bring one there. */
export interface RowView {
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
