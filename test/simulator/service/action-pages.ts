import { jsonAnswer, refusal, type Answer } from '../http/answer.ts';
import type { SimulatorSettings } from '../settings.ts';
import { cutPage, type Page } from './cut-page.ts';
import type { ServiceRequest } from './route.ts';

/** Most actions that can be asked for in one answer. */
const MAX_PER_PAGE = 1000;

/** The answer of endpoint 8 with the configured kind of paging (service.md gap 17). */
export function answerActions(
  request: ServiceRequest,
  { actionsPaging, actionsPerPage }: SimulatorSettings,
  actions: readonly unknown[],
): Answer {
  const { query } = request;
  if (actionsPaging === 'none') {
    const unknown = ['page', 'per_page'].find((name) => query.has(name));
    return unknown === undefined
      ? jsonAnswer(200, { actions })
      : refusal(400, `Unknown query parameter: ${unknown}`);
  }
  const cut = cutPage(query, actions, { perPage: actionsPerPage, maxPerPage: MAX_PER_PAGE });
  if (!cut.ok) return refusal(400, `Invalid paging. ${cut.error}.`);
  const page = cut.value;
  if (actionsPaging === 'pages') {
    const { number, perPage, totalPages, totalCount } = page;
    return jsonAnswer(200, {
      actions: page.items,
      page: number,
      per_page: perPage,
      total_pages: totalPages,
      total_count: totalCount,
    });
  }
  return withLinks(request, page);
}

/** Links in the format of RFC 8288: several in one header, `next` not the first. */
function withLinks({ path, query, origin }: ServiceRequest, page: Page<unknown>): Answer {
  const link = (number: number, relation: string) => {
    const search = new URLSearchParams({ page: String(number), per_page: String(page.perPage) });
    const fields = query.get('form_fields');
    if (fields !== null) search.set('form_fields', fields);
    return `<${origin}/v1/periods/${path.period_id}/actions?${search.toString()}>; rel="${relation}"`;
  };
  const links = [
    link(1, 'first'),
    ...(page.number > 1 ? [link(page.number - 1, 'prev')] : []),
    ...(page.number < page.totalPages ? [link(page.number + 1, 'next')] : []),
    link(page.totalPages, 'last'),
  ];
  const answer = jsonAnswer(200, { actions: page.items });
  return { ...answer, headers: { ...answer.headers, link: links.join(', ') } };
}
