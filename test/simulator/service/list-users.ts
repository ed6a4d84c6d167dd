import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { jsonAnswer } from '../http/answer.ts';
import type { ServiceUser } from '../team/team.ts';
import { cutPage } from './cut-page.ts';
import type { Route } from './route.ts';
import { isPhoneNumber } from './user-schema.ts';
import { validationFailure } from './validation.ts';

/** Most users in one page, and the default page size (service.md "Limits"). */
const MAX_PER_PAGE = 100;

/** Endpoint 11, Get All Users. */
export const getUsers: Route = {
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
  async handle({ query }, { team }) {
    const fits = readFilter(query);
    if (!fits.ok) return validationFailure(fits.error);
    const fitting = team.users.users().filter(fits.value);
    const cut = cutPage(query, fitting, { perPage: MAX_PER_PAGE, maxPerPage: MAX_PER_PAGE });
    if (!cut.ok) return validationFailure(cut.error);
    const { number, perPage, totalPages, totalCount, items } = cut.value;
    return jsonAnswer(200, {
      page: number,
      per_page: perPage,
      total_pages: totalPages,
      response_count: items.length,
      total_count: totalCount,
      users: items,
    });
  },
};

type Filter = (user: ServiceUser) => boolean;

/** Numbers are one filter, devices another; a user must match both. */
function readFilter(query: URLSearchParams): Result<Filter, string> {
  const inactive = query.get('include_inactive') ?? 'false';
  if (inactive !== 'true' && inactive !== 'false') return err('Include inactive must be true or false');
  const [phones, devices] = [query.getAll('phone_number[]'), query.getAll('device_id[]')];
  // A "+" that was not encoded arrives as a space
  if (!phones.every(isPhoneNumber)) return err('Phone number is invalid');
  if (devices.includes('')) return err("Device id can't be blank");
  return ok(
    (user) =>
      (user.is_active || inactive === 'true') &&
      (phones.length === 0 || phones.includes(user.phone_number)) &&
      (devices.length === 0 || (user.device_id !== null && devices.includes(user.device_id))),
  );
}
