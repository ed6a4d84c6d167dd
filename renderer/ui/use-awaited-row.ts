import { useEffect, useEffectEvent } from 'react';

/** Calls `take` when the row that is waited for is there. */
export function useAwaitedRow<Row>(row: Row | undefined, take: (row: Row) => void): void {
  const go = useEffectEvent(take);
  useEffect(() => {
    if (row !== undefined) go(row);
  }, [row]);
}
