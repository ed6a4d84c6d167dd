import { assertNever } from '../../../shared/lib/assert-never.ts';
import type { News } from './pick-news.ts';

/** What one notification says, and what it shows when it is clicked. */
export interface NewsCard {
  readonly title: string;
  readonly body: string;
  /** Missing: the window alone comes up. */
  readonly incidentId?: string;
}

/** Longest text of a card, characters: systems cut at about this. */
const LONGEST_BODY = 200;

/** One card for each kind of news, however much came at once: nobody reads forty. */
export function groupNews(news: readonly News[]): readonly NewsCard[] {
  return (['stopped', 'failed', 'finished'] as const).flatMap((kind) => {
    const same = news.filter((each) => each.kind === kind);
    const [first] = same;
    return first === undefined ? [] : [cardOf(first, same)];
  });
}

function cardOf(first: News, same: readonly News[]): NewsCard {
  const incidents = new Set(same.map(({ incidentId }) => incidentId));
  const { incidentId } = first;
  return {
    title: titleOf(first.kind, same.length, incidents.size),
    body: cut(first.text),
    // Of several incidents none is the one that is meant
    ...(incidents.size === 1 && incidentId !== undefined && { incidentId }),
  };
}

function titleOf(kind: News['kind'], count: number, incidents: number): string {
  switch (kind) {
    case 'stopped':
      return 'Uploads wait for a person';
    case 'failed':
      return count === 1 ? 'A clip failed' : `${count} clips failed`;
    case 'finished':
      return incidents === 1 ? 'An incident is sent' : `${incidents} incidents are sent`;
    default:
      return assertNever(kind);
  }
}

const cut = (text: string): string =>
  text.length > LONGEST_BODY ? `${text.slice(0, LONGEST_BODY - 1)}…` : text;
