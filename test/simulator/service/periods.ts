import { jsonAnswer } from '../http/answer.ts';
import type { Route } from './route.ts';

/** Endpoint 7, Get Periods, of a team without periods: enough for a client to test its key. */
const getPeriods: Route = {
  call: 'getPeriods',
  method: 'GET',
  path: ['periods'],
  needsVideoPermission: false,
  query: { start_date: 'optional', end_date: 'optional' },
  handle: async () => jsonAnswer(200, { periods: [] }),
};

export const periodRoutes: readonly Route[] = [getPeriods];
