import { usePrefetchQuery, useQueries, type UseQueryResult } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { type Failure, FailureError } from '../../shared/domain/failure.ts';

/** Rows within this distance of the view are requested with it. */
const NEAR_ROWS = 30;
/**
 * While rows fly by, no pages are read: the rows are gone before anyone reads them, and rendering them costs frames.
 * Pages are read once no others have been wanted for this long, milliseconds.
 */
const CALM_MS = 60;

/** A window of rows; `total` counts all that match the query. */
export interface RowPage<Row> {
  readonly total: number;
  readonly rows: readonly Row[];
}

/** The rows around the view; others are requested as they come near. */
export interface RowWindow<Page extends RowPage<unknown>> {
  readonly total: number;
  readonly rowAt: (index: number) => Page['rows'][number] | undefined;
  /** All rows loaded now. */
  readonly loaded: readonly Page['rows'][number][];
  readonly show: (first: number, last: number) => void;
  readonly isLoading: boolean;
  readonly failure: Failure | undefined;
  /** Any loaded page: each carries the data about the whole list. */
  readonly page: Page | undefined;
}

/** The last list with a loaded page. */
interface Kept<Page> {
  readonly list: string;
  readonly page: Page | undefined;
  readonly pages: readonly (Page | undefined)[];
  readonly first: number;
}

/**
 * Reads a long list in pages of `pageRows`. `key` identifies list and filters; pages are kept until the list is
 * reported as changed, so that rows do not jump under the pointer.
 */
export function useRowWindow<Page extends RowPage<unknown>>(
  key: readonly unknown[],
  pageRows: number,
  read: (offset: number, limit: number) => Promise<Page>,
): RowWindow<Page> {
  const list = JSON.stringify(key);
  const [{ first, last }, setPages] = useState({ first: 0, last: 0 });
  const [kept, setKept] = useState<Kept<Page>>({ list, page: undefined, pages: [], first: 0 });
  // Scrolling ahead of the answers must not make the list disappear: its last known total is kept
  const before = kept.list === list ? kept.page : undefined;
  const end = Math.max(first, Math.min(last, Math.ceil((before?.total ?? 0) / pageRows) - 1));
  const queryOf = (page: number) => ({
    queryKey: [...key, page],
    queryFn: () => read(page * pageRows, pageRows),
    staleTime: Infinity,
  });
  // Before anything around the rows is rendered and sends its own queries
  usePrefetchQuery(queryOf(first));
  const queries = Array.from({ length: end - first + 1 }, (_, index) => queryOf(first + index));
  const { pages, error } = useQueries({ queries, combine: takeTogether<Page> });
  const current = pages.find((each) => each !== undefined);
  if (current !== undefined && (kept.list !== list || kept.page !== current))
    setKept({ list, page: current, pages, first });
  // The previous list stays until the new one arrives: a grid that disappears would lose focus and position
  const isBefore = current === undefined && kept.list !== list && error === null;
  const page = current ?? (isBefore ? kept.page : before);
  const shown = isBefore ? kept : { pages, first };
  const show = useCalmPages(pageRows, setPages);
  const rowAt = useCallback(
    (index: number) => shown.pages[Math.floor(index / pageRows) - shown.first]?.rows[index % pageRows],
    [shown.pages, shown.first, pageRows],
  );
  const loaded = useMemo(
    () => shown.pages.flatMap((each): readonly Page['rows'][number][] => each?.rows ?? []),
    [shown.pages],
  );
  return useMemo(
    () => ({
      total: page?.total ?? 0,
      rowAt,
      loaded,
      show,
      isLoading: page === undefined && error === null,
      failure: error instanceof FailureError ? error.failure : undefined,
      page,
    }),
    [page, rowAt, loaded, show, error],
  );
}

function takeTogether<Page>(results: readonly UseQueryResult<Page>[]) {
  return {
    pages: results.map(({ data }) => data),
    error: results.find(({ error }) => error !== null)?.error ?? null,
  };
}

interface Pages {
  readonly first: number;
  readonly last: number;
}

/** Reports the pages around the rows in view: immediately at first, then once scrolling pauses. */
function useCalmPages(pageRows: number, go: (pages: Pages) => void): (first: number, last: number) => void {
  const calm = useRef<{ wanted: Pages; timer: ReturnType<typeof setTimeout> | undefined }>({
    wanted: { first: 0, last: 0 },
    timer: undefined,
  });
  useEffect(() => {
    const { current } = calm;
    return () => {
      clearTimeout(current.timer);
      current.timer = undefined;
    };
  }, []);
  return useCallback(
    (first: number, last: number) => {
      const { current } = calm;
      const wanted = {
        first: Math.floor(Math.max(0, first - NEAR_ROWS) / pageRows),
        last: Math.floor((last + NEAR_ROWS) / pageRows),
      };
      if (isSame(current.wanted, wanted)) return;
      current.wanted = wanted;
      if (current.timer === undefined) go(wanted);
      clearTimeout(current.timer);
      current.timer = setTimeout(() => {
        current.timer = undefined;
        go(current.wanted);
      }, CALM_MS);
    },
    [go, pageRows],
  );
}

const isSame = (one: Pages, other: Pages): boolean => one.first === other.first && one.last === other.last;
