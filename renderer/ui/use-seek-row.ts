import { useEffect, useEffectEvent, useState } from 'react';
import type { AskedRow } from '../stores/arrivals.ts';

interface Seeking {
  /** The chosen row. */
  readonly wanted: string | undefined;
  /** Counts how often a row was asked for from outside, and says which it was last. */
  readonly asked: AskedRow | undefined;
  /** False while there are no rows to go to. */
  readonly isThere: boolean;
  readonly placeOf: ((rowId: string) => Promise<number | undefined>) | undefined;
  readonly onFound: (index: number, rowId: string) => void;
}

/**
 * Looks once for each row that was chosen elsewhere, and once more each time that the chosen one is asked for again:
 * whoever scrolls on from there is not called back. Answers the function to be told which row was chosen in the grid
 * itself.
 */
export function useSeekRow({ wanted, asked, isThere, placeOf, onFound }: Seeking): (rowId: string) => void {
  const times = asked?.times ?? 0;
  const [own, setOwn] = useState<AskedRow>();
  const isSeen = wanted === own?.rowId && (asked?.rowId !== wanted || times === own?.times);
  const sought = isThere && !isSeen ? wanted : undefined;
  const seek = useEffectEvent(async (rowId: string) => placeOf?.(rowId));
  const go = useEffectEvent((rowId: string, index: number) => {
    setOwn({ rowId, times });
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
  return (rowId) => setOwn({ rowId, times });
}
