import type { NewMessage } from '../../../shared/domain/chat-message.ts';
import type { PeriodRange } from '../../../shared/domain/period.ts';
import type { NewUser, UserChanges, UserFilter } from '../../../shared/domain/team-user.ts';

/** How a list is written: for people, for programs, for spreadsheets. */
export type ListFormat = 'text' | 'json' | 'csv';

/** Options of all commands that only talk to the service: no queue, no data directory, no lock. */
interface TeamOptions {
  readonly config?: string;
}

interface ListOptions extends TeamOptions {
  readonly format: ListFormat;
}

interface RecordOptions extends TeamOptions {
  readonly json: boolean;
}

/** `periods`: all of them, or those of a range. */
export interface PeriodsCommand extends ListOptions {
  readonly kind: 'periods';
  readonly range: PeriodRange;
}

/** `actions`: those of one period, with form fields that are asked for by name. */
export interface ActionsCommand extends ListOptions {
  readonly kind: 'actions';
  readonly periodId: string;
  readonly formFields: readonly string[];
}

/** `message`: posts one message. */
export interface MessageCommand extends RecordOptions {
  readonly kind: 'message';
  readonly message: NewMessage;
}

/** `users list`: one page, or all of them. */
export interface UsersListCommand extends ListOptions {
  readonly kind: 'users list';
  readonly filter: UserFilter;
  readonly paging?: { readonly page: number; readonly perPage: number };
}

/** `users get`, and `users deactivate`: the way to end the access of a user with history. */
export interface UserCommand extends RecordOptions {
  readonly kind: 'users get' | 'users deactivate';
  readonly userId: string;
}

/** `users create`. */
export interface UsersCreateCommand extends RecordOptions {
  readonly kind: 'users create';
  readonly user: NewUser;
}

/** `users update`. */
export interface UsersUpdateCommand extends RecordOptions {
  readonly kind: 'users update';
  readonly userId: string;
  readonly changes: UserChanges;
}

/** `users delete`; without `yes` a person is asked. */
export interface UsersDeleteCommand extends RecordOptions {
  readonly kind: 'users delete';
  readonly userId: string;
  readonly yes: boolean;
}

/** What the command line asks of the service's team. */
export type TeamCommand =
  | PeriodsCommand
  | ActionsCommand
  | MessageCommand
  | UsersListCommand
  | UserCommand
  | UsersCreateCommand
  | UsersUpdateCommand
  | UsersDeleteCommand;
