import type { Command } from './command.ts';
import { actions } from './commands/actions.ts';
import { check } from './commands/check.ts';
import { custody } from './commands/custody.ts';
import { explain } from './commands/explain.ts';
import { keyRenew } from './commands/key-renew.ts';
import { keyTrust } from './commands/key-trust.ts';
import { leaveOut } from './commands/leave-out.ts';
import { message } from './commands/message.ts';
import { periods } from './commands/periods.ts';
import { push } from './commands/push.ts';
import { retry } from './commands/retry.ts';
import { root } from './commands/root.ts';
import { run } from './commands/run.ts';
import { status } from './commands/status.ts';
import { usersCreate } from './commands/users-create.ts';
import { usersDeactivate } from './commands/users-deactivate.ts';
import { usersDelete } from './commands/users-delete.ts';
import { usersGet } from './commands/users-get.ts';
import { usersList } from './commands/users-list.ts';
import { usersUpdate } from './commands/users-update.ts';
import { verify } from './commands/verify.ts';

/** Every command, in the order of the help. A new command needs a file in commands/ and a line here. */
export const commands: readonly Command[] = [
  run,
  push,
  status,
  retry,
  leaveOut,
  explain,
  root,
  custody,
  verify,
  keyRenew,
  check,
  keyTrust,
  periods,
  actions,
  message,
  usersList,
  usersGet,
  usersCreate,
  usersUpdate,
  usersDeactivate,
  usersDelete,
];

/** The commands that start with a word: one, or those of a group such as `users`. */
export const commandsOf = (firstWord: string): readonly Command[] =>
  commands.filter(({ name }) => name === firstWord || name.startsWith(`${firstWord} `));

/** Every first word of a command. */
export const firstWords: readonly string[] = [
  ...new Set(commands.map(({ name }) => name.split(' ', 1)[0] ?? name)),
];
