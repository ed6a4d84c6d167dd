import { jsonAnswer, refusal } from '../http/answer.ts';
import type { ServicePeriod } from '../team/team.ts';
import type { Route } from './route.ts';
import { isTimestamp } from './timestamp.ts';

/** Endpoint 7, Get Periods: all of them, or those that overlap the range. */
const getPeriods: Route = {
  call: 'getPeriods',
  method: 'GET',
  path: ['periods'],
  needsVideoPermission: false,
  query: { start_date: 'optional', end_date: 'optional' },
  async handle({ query }, { team }) {
    const [start, end] = [query.get('start_date'), query.get('end_date')];
    const reason = checkRange(start, end);
    if (reason !== undefined) return refusal(400, reason);
    return jsonAnswer(200, { periods: team.team().periods.filter((period) => overlaps(period, start, end)) });
  },
};

function checkRange(start: string | null, end: string | null): string | undefined {
  for (const [name, value] of Object.entries({ start_date: start, end_date: end })) {
    if (value !== null && !isTimestamp(value)) {
      return `Invalid ${name}. It must be of the form YYYY-MM-DDTHH:MM:SS.sssZ.`;
    }
  }
  return start !== null && end !== null && end < start
    ? 'Invalid end_date. It must not be before start_date.'
    : undefined;
}

function overlaps(period: ServicePeriod, start: string | null, end: string | null): boolean {
  return (start === null || period.end_date >= start) && (end === null || period.start_date <= end);
}

export const periodRoutes: readonly Route[] = [getPeriods];
