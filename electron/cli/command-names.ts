/** The commands of the program, in the order of the help text; those of users are two words. */
export const commandNames = [
  'run',
  'push',
  'status',
  'retry',
  'check',
  'periods',
  'actions',
  'message',
  'users list',
  'users get',
  'users create',
  'users update',
  'users deactivate',
  'users delete',
] as const;
/** One of `commandNames`. */
export type CommandName = (typeof commandNames)[number];

/** The word before the commands of users. */
export const USERS = 'users';

/** What help can be about: a command, or all those of users. */
export type Topic = CommandName | typeof USERS;

/** The commands that a first word stands for: `users` for several. */
export function commandsOf(firstWord: string): readonly CommandName[] {
  return commandNames.filter((name) => name === firstWord || name.startsWith(`${firstWord} `));
}

/** Every word that can stand first. */
export const firstWords: readonly string[] = [
  ...new Set(commandNames.map((name) => name.split(' ')[0] ?? name)),
];

/** Every word that can follow `users`. */
export const userWords: readonly string[] = commandsOf(USERS).map((name) => name.slice(USERS.length + 1));
