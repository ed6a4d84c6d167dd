import type { Failure } from '../../../shared/domain/failure.ts';
import type { ServiceId } from '../../../shared/domain/ids.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { pagingFailure } from './failures.ts';
import type { ServiceCall } from './http.ts';

/** Parameters of a call. */
export type Query = NonNullable<ServiceCall['query']>;

/** Most pages of one list: a million users; a list that goes on has no end. */
const MAX_PAGES = 10_000;

/** One page of a list: its entries, and how the next one is asked for; `elsewhere`: in a way that is refused. */
export interface ListPage<T> {
  readonly items: readonly T[];
  readonly next: Query | 'elsewhere' | undefined;
}

/**
 * Reads a list to its end, each entry once although entries move between pages meanwhile. Errors: those of `ask`;
 * API_PAGING when the pages lead in a circle, elsewhere, or on for ever.
 */
export async function readPages<T extends { readonly id: ServiceId }>(
  what: string,
  ask: (query: Query | undefined) => Promise<Result<ListPage<T>, Failure>>,
): Promise<Result<readonly T[], Failure>> {
  const seen = new Set<ServiceId>();
  const items: T[] = [];
  let next: Query | undefined;
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const answer = await ask(next);
    if (!answer.ok) return answer;
    const fresh = answer.value.items.filter(({ id }) => !seen.has(id));
    items.push(...fresh);
    for (const { id } of fresh) seen.add(id);
    if (answer.value.next === 'elsewhere')
      return err(pagingFailure(what, 'the next page is said to lie elsewhere'));
    if (page > 1 && fresh.length === 0 && (answer.value.items.length > 0 || answer.value.next !== undefined))
      return err(pagingFailure(what, `page ${page} brought nothing new`));
    if (answer.value.next === undefined) return ok(items);
    next = answer.value.next;
  }
  return err(pagingFailure(what, `the list has more than ${MAX_PAGES} pages`));
}
