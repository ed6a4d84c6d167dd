import type { TFunction } from 'i18next';
import { z } from 'zod';
import { userName, type TeamUser } from '../../../shared/domain/team-user.ts';
import { accessName, loginName, roleName } from './user-words.ts';

/** The columns that users can be sorted by. */
export const userSorts = ['access', 'name', 'contact', 'email', 'login', 'role', 'updated'] as const;
/** One of `userSorts`. */
type UserSort = (typeof userSorts)[number];

/** The screen's search parameters. */
export const usersSearchSchema = z.object({
  search: z.string().max(200).catch(''),
  inactive: z.boolean().catch(false),
  sort: z.enum(userSorts).catch('name'),
  order: z.enum(['ascending', 'descending']).catch('ascending'),
  user: z.union([z.string(), z.int()]).optional().catch(undefined),
});
/** See `usersSearchSchema`. */
export type UsersSearch = z.infer<typeof usersSearchSchema>;
/** Changes the search parameters. */
export type ChangeUsers = (change: Partial<z.input<typeof usersSearchSchema>>) => void;

/** Removes case and accents, so that "jose" finds "José". */
const folded = (text: string): string => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** Removes hyphens, dots and brackets from a typed number. */
const digitsOf = (word: string): string => word.replaceAll(/[().-]/g, '');

/**
 * Users who have each of the typed words in name, phone number, device ID, email or role, in the chosen order.
 * `language` is the reader's: it decides how names are sorted.
 */
export function selectUsers(
  users: readonly TeamUser[],
  { search, inactive, sort, order }: UsersSearch,
  t: TFunction,
  language: string,
): readonly TeamUser[] {
  const words = folded(search)
    .split(/\s+/)
    .filter((word) => word !== '');
  const shown = users.filter((user) => (inactive || user.isActive !== false) && fits(user, words, t));
  const collator = new Intl.Collator(language, { numeric: true, sensitivity: 'base' });
  const sign = order === 'ascending' ? 1 : -1;
  return shown
    .map((user) => ({ user, key: sortKey(user, sort, t), name: userName(user) }))
    .toSorted((one, other) => {
      // Empty values come last in either order
      if ((one.key === '') !== (other.key === '')) return one.key === '' ? 1 : -1;
      return sign * collator.compare(one.key, other.key) || collator.compare(one.name, other.name);
    })
    .map(({ user }) => user);
}

function fits(user: TeamUser, words: readonly string[], t: TFunction): boolean {
  if (words.length === 0) return true;
  const { firstName, lastName, name, email, deviceId, phoneNumber, role } = user;
  const text = folded([firstName, lastName, name, email, deviceId, role, roleName(t, role)].join('\n'));
  const phone = phoneNumber ?? '';
  return words.every((word) => text.includes(word) || (/\d/.test(word) && phone.includes(digitsOf(word))));
}

function sortKey(user: TeamUser, sort: UserSort, t: TFunction): string {
  switch (sort) {
    case 'access':
      return accessName(t, user.isActive) ?? '';
    case 'name':
      return userName(user);
    case 'contact':
      return user.phoneNumber || user.deviceId || '';
    case 'email':
      return user.email ?? '';
    case 'login':
      return loginName(t, user.loginType);
    case 'role':
      return roleName(t, user.role);
    case 'updated':
      return user.updatedAt ?? '';
  }
}

/** The order when a column is first chosen: changes newest first, words ascending. */
export const firstOrder = (sort: UserSort): UsersSearch['order'] =>
  sort === 'updated' ? 'descending' : 'ascending';

/** The order after a heading is pressed: reversed, or the initial one of that column. */
export function sortedBy(
  column: string,
  { sort, order }: Pick<UsersSearch, 'sort' | 'order'>,
): Pick<UsersSearch, 'sort' | 'order'> {
  const next = userSorts.find((each) => each === column) ?? 'name';
  if (next === sort) return { sort, order: order === 'ascending' ? 'descending' : 'ascending' };
  return { sort: next, order: firstOrder(next) };
}
