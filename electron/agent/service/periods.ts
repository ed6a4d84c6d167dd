import type { Action, Period, PeriodRange } from '../../../shared/domain/action.ts';
import type { Failure } from '../../../shared/domain/failure.ts';
import type { ServiceId } from '../../../shared/domain/ids.ts';
import { actionsAnswerSchema, periodsAnswerSchema } from '../../../shared/service/period.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import {
  valueOf,
  type CallService,
  readPagesSoFar,
  type ListPage,
  type Query,
  type ReadList,
} from './call-service.ts';

const ACTIONS = 'Get actions';

/** service.md endpoints 7 and 8. */
export interface Periods {
  /** Endpoint 7: all periods, or those of a range, in the order of the service. */
  list(range: PeriodRange, signal: AbortSignal): Promise<Result<readonly Period[], Failure>>;
  /**
   * Endpoint 8 with all its pages (service.md gap 17). `formFields` are the fields to request by name. If some actions
   * cannot be read, the others are returned with the reason. Errors: NOT_FOUND for a period that does not exist,
   * VALIDATION, API_PAGING, API_SHAPE.
   */
  readActions(
    periodId: ServiceId,
    formFields: readonly string[],
    signal: AbortSignal,
  ): Promise<Result<ReadList<Action>, Failure>>;
}

/** Creates the calls of endpoints 7 and 8. */
export function createPeriods(send: CallService): Periods {
  async function askActions(
    periodId: ServiceId,
    formFields: readonly string[],
    paging: Query | undefined,
    signal: AbortSignal,
  ): Promise<Result<ListPage<Action>, Failure>> {
    // The names as one JSON array; without names the parameter is left out (endpoint 8: default none)
    const fields: Query = formFields.length === 0 ? [] : [['form_fields', JSON.stringify(formFields)]];
    const query = [...fields, ...(paging ?? []).filter(([name]) => name !== 'form_fields')];
    const ids = { periodId };
    const schema = actionsAnswerSchema(formFields);
    const answer = await send(ACTIONS, { endpoint: 'getActions', ids, query }, schema, signal);
    if (!answer.ok) return answer;
    const { value, headers, calledUrl } = answer.value;
    const link = Array.isArray(headers.link) ? headers.link.join(', ') : headers.link;
    const { actions: items, unreadable } = value;
    return ok({ items, unreadable, next: nextPage(value, link, calledUrl) });
  }

  return {
    async list({ startAt, endAt }, signal) {
      const query: Query = [
        ...(startAt === undefined ? [] : [['start_date', startAt] as const]),
        ...(endAt === undefined ? [] : [['end_date', endAt] as const]),
      ];
      return valueOf(
        await send('Get periods', { endpoint: 'getPeriods', query }, periodsAnswerSchema, signal),
      );
    },
    async readActions(periodId, formFields, signal) {
      const names = [...new Set(formFields)];
      const read = await readPagesSoFar(ACTIONS, (paging) => askActions(periodId, names, paging, signal));
      // If nothing was read, there is only the problem to return
      return read.ok && read.value.problem !== undefined && read.value.items.length === 0
        ? err(read.value.problem)
        : read;
    },
  };
}

/** Page counters first, then a `Link` (service.md gap 17); an answer with neither is the whole list. */
function nextPage(
  { page, totalPages }: { readonly page?: number; readonly totalPages?: number },
  link: string | undefined,
  calledUrl: string,
): ListPage<Action>['next'] {
  if (page !== undefined && totalPages !== undefined)
    return page < totalPages ? [['page', String(page + 1)]] : undefined;
  const next = nextPageLink(link, calledUrl);
  if (next.kind === 'query') return next.query;
  return next.kind === 'elsewhere' ? 'elsewhere' : undefined;
}

/** Parameters of a URL, in order. */
type LinkQuery = readonly (readonly [name: string, value: string])[];

/**
 * What a `Link` header says about the next page. `elsewhere`: at another address than the call, which is not requested.
 */
type NextPage =
  | { readonly kind: 'none' }
  | { readonly kind: 'query'; readonly query: LinkQuery }
  | { readonly kind: 'elsewhere' };

const ENTRY = /<([^<>]*)>([^<]*)/g;

const RELATION = /;\s{0,8}rel\s{0,8}=\s{0,8}(?:"([^"]*)"|([^\s;,"]+))/i;

/**
 * The next page by `Link: <...>; rel="next"` (service.md gap 17). Only the parameters of the URL are used, and only if
 * its host and path are those of the call itself: the key is never sent where an answer points.
 */
export function nextPageLink(header: string | undefined, calledUrl: string): NextPage {
  for (const [, target = '', attributes = ''] of (header ?? '').matchAll(ENTRY)) {
    const [, quoted, plain] = RELATION.exec(attributes) ?? [];
    const relations = (quoted ?? plain ?? '').toLowerCase().split(/\s+/);
    if (relations.includes('next')) return fitting(target.trim(), new URL(calledUrl));
  }
  return { kind: 'none' };
}

function fitting(target: string, called: URL): NextPage {
  if (!URL.canParse(target, called.href)) return { kind: 'elsewhere' };
  const next = new URL(target, called.href);
  if (next.host !== called.host || next.pathname !== called.pathname) return { kind: 'elsewhere' };
  return { kind: 'query', query: [...next.searchParams] };
}
