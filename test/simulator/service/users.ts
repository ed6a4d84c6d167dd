import { jsonAnswer } from '../http/answer.ts';
import type { Route } from './route.ts';

/** Endpoint 11, Get All Users, of a team without users: enough for a client to test its key. */
const getUsers: Route = {
  call: 'getUsers',
  method: 'GET',
  path: ['users'],
  needsVideoPermission: false,
  query: {
    page: 'optional',
    per_page: 'optional',
    include_inactive: 'optional',
    'phone_number[]': 'optional',
    'device_id[]': 'optional',
  },
  async handle({ query }) {
    const [page, perPage] = [Number(query.get('page') ?? 1), Number(query.get('per_page') ?? 100)];
    return jsonAnswer(200, {
      page,
      per_page: perPage,
      total_pages: 1,
      response_count: 0,
      total_count: 0,
      users: [],
    });
  },
};

export const userRoutes: readonly Route[] = [getUsers];
