import { useEffect, useEffectEvent, useState } from 'react';

interface Seeking {
  /** The chosen row. */
  readonly wanted: string | undefined;
  /** False while there are no rows to go to. */
  readonly isThere: boolean;
  readonly placeOf: ((rowId: string) => Promise<number | undefined>) | undefined;
  readonly onFound: (index: number, rowId: string) => void;
}

/**
 * Looks once for each row that was chosen elsewhere: whoever scrolls on from there is not called back. Answers the
 * function to be told which row was chosen in the grid itself.
 */
export function useSeekRow({ wanted, isThere, placeOf, onFound }: Seeking): (rowId: string) => void {
  const [own, setOwn] = useState<string>();
  const sought = isThere && wanted !== own ? wanted : undefined;
  const seek = useEffectEvent(async (rowId: string) => placeOf?.(rowId));
  const go = useEffectEvent((rowId: string, index: number) => {
    setOwn(rowId);
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
  }, [sought]);
  return setOwn;
}
