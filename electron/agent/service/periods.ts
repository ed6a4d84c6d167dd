import type { Action } from '../../../shared/domain/action.ts';
import type { Failure } from '../../../shared/domain/failure.ts';
import type { ServiceId } from '../../../shared/domain/ids.ts';
import { ok, type Result } from '../../../shared/lib/result.ts';
import { actionsAnswerSchema } from '../../../shared/service/action.ts';
import { periodsAnswerSchema } from '../../../shared/service/period.ts';
import { nextPageLink } from '../core/team/next-page-link.ts';
import { valueOf, type CallService } from './call-service.ts';
import { readPages, type ListPage, type Query } from './read-pages.ts';
import type { Periods } from './team-service.ts';

const ACTIONS = 'Get actions';

/** Makes the calls of endpoints 7 and 8. */
export function createPeriods(send: CallService): Periods {
  async function askActions(
    periodId: ServiceId,
    formFields: readonly string[],
    paging: Query | undefined,
    signal: AbortSignal,
  ): Promise<Result<ListPage<Action>, Failure>> {
    // The names as one JSON array; without names the parameter stays out (endpoint 8: default none)
    const fields: Query = formFields.length === 0 ? [] : [['form_fields', JSON.stringify(formFields)]];
    const query = [...fields, ...(paging ?? []).filter(([name]) => name !== 'form_fields')];
    const ids = { periodId };
    const schema = actionsAnswerSchema(formFields);
    const answer = await send(ACTIONS, { endpoint: 'getActions', ids, query }, schema, signal);
    if (!answer.ok) return answer;
    const { value, headers, calledUrl } = answer.value;
    const link = Array.isArray(headers.link) ? headers.link.join(', ') : headers.link;
    return ok({ items: value.actions, next: nextPage(value, link, calledUrl) });
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
    listActions(periodId, formFields, signal) {
      const names = [...new Set(formFields)];
      return readPages(ACTIONS, (paging) => askActions(periodId, names, paging, signal));
    },
  };
}

/** Counted pages first, then a `Link` (service.md gap 17); an answer with neither is the whole list. */
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
