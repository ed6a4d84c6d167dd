import { z } from 'zod';
import { actionSchema, periodRangeSchema, periodSchema } from '../../domain/action.ts';
import {
  imageCheckSchema,
  newMessageSchema,
  notificationImageSchema,
  postedMessageSchema,
} from '../../domain/chat-message.ts';
import { failureSchema } from '../../domain/failure.ts';
import { serviceIdSchema } from '../../domain/ids.ts';
import {
  createdUserSchema,
  MAX_USERS_PER_PAGE,
  newUserSchema,
  teamUserSchema,
  userChangesSchema,
  userFilterSchema,
  userPageSchema,
} from '../../domain/team-user.ts';
import { defineCall } from '../envelope.ts';

/** Longest name of a form field, characters, and most of them in one request: they are part of a URL. */
const MAX_FIELD_NAME_LENGTH = 200;
const MAX_FORM_FIELDS = 50;

const ofUser = z.strictObject({ userId: serviceIdSchema });

/** What people do in the service: service.md endpoints 7 to 15. Errors: those of electron/agent/service/connect-service.ts. */
export const teamCalls = {
  'periods.list': defineCall(
    z.strictObject({ range: periodRangeSchema }),
    z.object({ periods: z.array(periodSchema).readonly() }).readonly(),
  ),
  'actions.list': defineCall(
    z.strictObject({
      periodId: serviceIdSchema,
      formFields: z.array(z.string().min(1).max(MAX_FIELD_NAME_LENGTH)).max(MAX_FORM_FIELDS).readonly(),
    }),
    z
      .object({
        actions: z.array(actionSchema).readonly(),
        /** The service says that there are more; why they could not be read. */
        incomplete: failureSchema.exactOptional(),
      })
      .readonly(),
  ),
  'messages.post': defineCall(z.strictObject({ message: newMessageSchema }), postedMessageSchema),
  'messages.checkImage': defineCall(z.strictObject({ image: notificationImageSchema }), imageCheckSchema),
  'users.list': defineCall(
    z.strictObject({
      filter: userFilterSchema,
      page: z.int().min(1),
      perPage: z.int().min(1).max(MAX_USERS_PER_PAGE),
    }),
    userPageSchema,
  ),
  'users.get': defineCall(ofUser, teamUserSchema),
  'users.create': defineCall(z.strictObject({ user: newUserSchema }), createdUserSchema),
  'users.update': defineCall(
    z.strictObject({
      userId: serviceIdSchema,
      changes: userChangesSchema,
      /** The user as it was when the change began; if it has changed since, the answer is CHANGED_ELSEWHERE. */
      seen: teamUserSchema.exactOptional(),
    }),
    teamUserSchema,
  ),
  /** For users with history: they can no longer sign in, but nothing of theirs is lost. */
  'users.deactivate': defineCall(ofUser, teamUserSchema),
  'users.remove': defineCall(ofUser, teamUserSchema),
};
