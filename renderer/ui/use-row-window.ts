import { useQueries } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { FailureError } from '../../shared/domain/failure-error.ts';
import type { Failure } from '../../shared/domain/failure.ts';

/** Rows of one request: a screenful with room to scroll. */
const PAGE_ROWS = 200;

/** One answer about a window of rows; `total` counts all that fit the query. */
export interface RowPage<Row> {
  readonly total: number;
  readonly rows: readonly Row[];
}

/** The rows around what is shown; the others are asked for when they come near. */
export interface RowWindow<Page extends RowPage<unknown>> {
  readonly total: number;
  readonly rowAt: (index: number) => Page['rows'][number] | undefined;
  /** Whether one of the rows that are there is meant. */
  readonly hasRow: (isMeant: (row: Page['rows'][number]) => boolean) => boolean;
  readonly show: (first: number, last: number) => void;
  readonly isLoading: boolean;
  readonly failure: Failure | undefined;
  /** Any page that is there: it carries what is said of the whole. */
  readonly page: Page | undefined;
}

/**
 * Reads a long list by pages. `key` names list and filters; pages stay until someone says that the list changed, so
 * that rows do not jump under the pointer.
 */
export function useRowWindow<Page extends RowPage<unknown>>(
  key: readonly unknown[],
  read: (offset: number, limit: number) => Promise<Page>,
): RowWindow<Page> {
  const [range, setRange] = useState({ first: 0, last: 0 });
  const firstPage = Math.floor(range.first / PAGE_ROWS);
  const lastPage = Math.floor(range.last / PAGE_ROWS);
  const numbers = Array.from({ length: lastPage - firstPage + 1 }, (_, index) => firstPage + index);
  const results = useQueries({
    queries: numbers.map((number) => ({
      queryKey: [...key, number],
      queryFn: () => read(number * PAGE_ROWS, PAGE_ROWS),
      staleTime: Infinity,
    })),
  });
  const page = useLastPage(JSON.stringify(key), results.find(({ data }) => data !== undefined)?.data);
  const error = results.find((result) => result.error !== null)?.error;
  const show = useCallback((first: number, last: number) => {
    setRange((before) => (before.first === first && before.last === last ? before : { first, last }));
  }, []);
  return {
    total: page?.total ?? 0,
    rowAt: (index) => results[Math.floor(index / PAGE_ROWS) - firstPage]?.data?.rows[index % PAGE_ROWS],
    hasRow: (isMeant) => results.some(({ data }) => data?.rows.some((row) => isMeant(row)) === true),
    show,
    isLoading: page === undefined && error === undefined,
    failure: error instanceof FailureError ? error.failure : undefined,
    page,
  };
}

/** What was last said of the same list: scrolling ahead of the answers must not take the list away. */
function useLastPage<Page>(list: string, answered: Page | undefined): Page | undefined {
  const [last, setLast] = useState({ list, page: answered });
  const isNews = last.list !== list || (answered !== undefined && last.page !== answered);
  if (isNews) setLast({ list, page: answered });
  return answered ?? (last.list === list ? last.page : undefined);
}
