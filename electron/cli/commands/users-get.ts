import { defineCommand, parseId } from '../command.ts';
import { runTeamWork } from '../report-failure.ts';
import { userOptions, writeUser } from './user-text.ts';

/** Shows one user. */
export const usersGet = defineCommand({
  name: 'users get',
  usage: ['users get ID [--json]'],
  purpose: 'Shows one user.',
  options: userOptions,
  parse: (line) => ({
    config: line.text('config'),
    userId: parseId(line, 'user'),
    json: line.has('json'),
  }),
  run: (input, deps) =>
    runTeamWork(input, deps, async ({ users }, signal) => {
      const user = await users.get(input.userId, signal);
      if (user.ok) writeUser(user.value, input.json, deps.output);
      return user;
    }),
});
