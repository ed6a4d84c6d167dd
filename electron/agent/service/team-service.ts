import type { Action } from '../../../shared/domain/action.ts';
import type {
  ImageCheck,
  NewMessage,
  NotificationImage,
  PostedMessage,
} from '../../../shared/domain/chat-message.ts';
import type { Failure } from '../../../shared/domain/failure.ts';
import type { Period, PeriodRange } from '../../../shared/domain/period.ts';
import type { ServiceId } from '../../../shared/domain/ids.ts';
import type {
  CreatedUser,
  NewUser,
  TeamUser,
  UserChanges,
  UserFilter,
  UserPage,
} from '../../../shared/domain/team-user.ts';
import type { Result } from '../../../shared/lib/result.ts';

/** service.md endpoints 7 and 8. */
export interface Periods {
  /** Endpoint 7: all periods, or those of a range, in the order of the service. */
  list(range: PeriodRange, signal: AbortSignal): Promise<Result<readonly Period[], Failure>>;
  /**
   * Endpoint 8 with all its pages (service.md gap 17). `formFields` are the fields that are asked for by name.
   * Errors: NOT_FOUND for a period that does not exist, VALIDATION, API_PAGING.
   */
  listActions(
    periodId: ServiceId,
    formFields: readonly string[],
    signal: AbortSignal,
  ): Promise<Result<readonly Action[], Failure>>;
}

/** service.md endpoints 9 and 10. */
export interface Messages {
  /** Posts once; never tried again by itself. Errors: INVALID_CHANNEL_USER, VALIDATION; see `mayHaveHappened`. */
  post(message: NewMessage, signal: AbortSignal): Promise<Result<PostedMessage, Failure>>;
  /** Looks at the image's address without the key; never rejects for trouble. */
  checkImage(image: NotificationImage, signal: AbortSignal): Promise<ImageCheck>;
}

/** service.md endpoints 11 to 15. */
export interface Users {
  /** Endpoint 11, one page. `page` counts from 1, `perPage` is 1 to 100. */
  listPage(
    filter: UserFilter,
    paging: { readonly page: number; readonly perPage: number },
    signal: AbortSignal,
  ): Promise<Result<UserPage, Failure>>;
  /** Endpoint 11, every page, each user once. Errors: API_PAGING when the pages lead in a circle. */
  listAll(filter: UserFilter, signal: AbortSignal): Promise<Result<readonly TeamUser[], Failure>>;
  /** Endpoint 12. */
  create(user: NewUser, signal: AbortSignal): Promise<Result<CreatedUser, Failure>>;
  /** Endpoint 13. */
  get(id: ServiceId, signal: AbortSignal): Promise<Result<TeamUser, Failure>>;
  /**
   * Endpoint 14 by the method of the settings (service.md gap 24). The body has all fields of the user as it is, with
   * the changes. Errors: METHOD_REFUSED when the service has no such method.
   */
  update(id: ServiceId, changes: UserChanges, signal: AbortSignal): Promise<Result<TeamUser, Failure>>;
  /** Endpoint 15; answers the deleted user. */
  remove(id: ServiceId, signal: AbortSignal): Promise<Result<TeamUser, Failure>>;
}

/** The service without its video endpoints: what people do in it from here. Nothing is retried by itself. */
export interface TeamService {
  readonly periods: Periods;
  readonly messages: Messages;
  readonly users: Users;
}
