import { err, ok, type Result } from '../../../shared/lib/result.ts';

/** One page of a list, with the counts that go with it. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly number: number;
  readonly perPage: number;
  readonly totalPages: number;
  readonly totalCount: number;
}

/** Returns the page that `page` and `per_page` ask for, or what is wrong with them. A page after the last is empty. */
export function cutPage<T>(
  query: URLSearchParams,
  items: readonly T[],
  { perPage: usual, maxPerPage }: { readonly perPage: number; readonly maxPerPage: number },
): Result<Page<T>, string> {
  const number = readCount(query.get('page'), 1);
  const perPage = readCount(query.get('per_page'), usual);
  if (number === undefined) return err('Page must be a whole number greater than or equal to 1');
  if (perPage === undefined) return err('Per page must be a whole number greater than or equal to 1');
  if (perPage > maxPerPage) return err(`Per page must be less than or equal to ${maxPerPage}`);
  return ok({
    items: items.slice((number - 1) * perPage, number * perPage),
    number,
    perPage,
    totalPages: Math.max(1, Math.ceil(items.length / perPage)),
    totalCount: items.length,
  });
}

function readCount(text: string | null, otherwise: number): number | undefined {
  if (text === null) return otherwise;
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}
