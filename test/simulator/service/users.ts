import { jsonAnswer, statusRefusal } from '../http/answer.ts';
import { createUser } from './create-user.ts';
import { getUsers } from './list-users.ts';
import type { Route } from './route.ts';
import { updateUserRoutes } from './update-user.ts';

const userPath = ['users', ':user_id'];

/** Endpoint 13, Get Specified User. */
const getUser: Route = {
  call: 'getUser',
  method: 'GET',
  path: userPath,
  needsVideoPermission: false,
  query: {},
  async handle({ path }, { team }) {
    const user = team.users.get(path.user_id ?? '');
    return user ? jsonAnswer(200, { user }) : statusRefusal(404, 'User not found');
  },
};

/** Endpoint 15, Delete User. */
const deleteUser: Route = {
  call: 'deleteUser',
  method: 'DELETE',
  path: userPath,
  needsVideoPermission: false,
  query: {},
  async handle({ path }, { team }) {
    const user = team.users.get(path.user_id ?? '');
    if (user === undefined) return statusRefusal(404, 'User not found');
    team.users.remove(user.id);
    return jsonAnswer(200, { user });
  },
};

export const userRoutes: readonly Route[] = [getUsers, createUser, getUser, ...updateUserRoutes, deleteUser];
