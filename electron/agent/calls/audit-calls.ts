import type { CallArguments, CallName, CallOutput } from '../../../shared/ipc/contract.ts';
import type { Handler, Handlers } from './call.ts';
import type { AuditDetail, AuditTrail } from '../evidence/audit-trail.ts';

/** What is noted of an order before it is carried out, and of its answer. */
interface Noted<Name extends CallName> {
  readonly asked: (input: CallArguments<Name>) => AuditDetail;
  readonly done?: (output: CallOutput<Name>) => AuditDetail;
}

/** The same handler; a row before it works, so that ending the program leaves a trace too, and one with what became of it. */
function audited<Name extends CallName>(
  trail: Pick<AuditTrail, 'note'>,
  name: Name,
  handler: Handler<Name>,
  { asked, done }: Noted<Name>,
): Handler<Name> {
  return async (input, signal) => {
    const of = trail.note(name, { state: 'asked', ...asked(input) });
    try {
      const result = await handler(input, signal);
      trail.note(
        name,
        result.ok
          ? { state: 'done', of, ...done?.(result.value) }
          : { state: 'refused', of, code: result.error.code },
      );
      return result;
    } catch (error) {
      trail.note(name, { state: 'broken', of });
      throw error;
    }
  };
}

/**
 * The same handlers; whatever changes users, keys, settings or what is sent is noted. Where that cannot be written it is
 * not done.
 */
export function auditCalls(handlers: Handlers, trail: Pick<AuditTrail, 'note'>): Handlers {
  const note = <Name extends CallName>(name: Name, noted: Noted<Name>): Handler<Name> =>
    audited(trail, name, handlers[name], noted);
  return {
    ...handlers,
    'users.create': note('users.create', {
      asked: ({ user }) => ({ loginType: user.loginType }),
      done: ({ user }) => ({ userId: String(user.id) }),
    }),
    'users.update': note('users.update', {
      asked: ({ userId, changes }) => ({ userId: String(userId), fields: Object.keys(changes) }),
    }),
    'users.deactivate': note('users.deactivate', { asked: ({ userId }) => ({ userId: String(userId) }) }),
    'users.remove': note('users.remove', { asked: ({ userId }) => ({ userId: String(userId) }) }),
    'messages.post': note('messages.post', {
      asked: ({ message }) => ({ to: message.kind, channelId: String(message.channelId) }),
    }),
    'settings.save': note('settings.save', {
      asked: ({ change }) => ({ fields: Object.keys(change), service: hostOf(change.baseUrl) }),
    }),
    'settings.apply': note('settings.apply', { asked: () => ({}) }),
    'settings.setKey': note('settings.setKey', {
      asked: () => ({}),
      done: ({ fingerprint, keptIn }) => ({ fingerprint, keptIn }),
    }),
    'settings.forgetKey': note('settings.forgetKey', { asked: () => ({}) }),
    'uploads.cancel': note('uploads.cancel', { asked: ({ target }) => namesOf(target) }),
  };
}

/** Where key and clips go from then on; nothing of an address but its host and port. */
const hostOf = (address: string | undefined): string | undefined =>
  address === undefined ? undefined : (URL.parse(address)?.host ?? 'unreadable');

type CancelTarget = CallArguments<'uploads.cancel'>['target'];

/** Clips that are named one by one; the history of each clip tells of the others. */
const MOST_NAMED = 20;

const namesOf = (target: CancelTarget): AuditDetail =>
  target.kind === 'clips'
    ? { clips: target.clipIds.length, clipIds: target.clipIds.slice(0, MOST_NAMED) }
    : { incidentId: target.incidentId };
