import { UserCheck, UserCog, UserX, X } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import {
  userChangesSchema,
  userName,
  userRoles,
  type TeamUser,
  type UserChanges,
} from '../../../shared/domain/team-user.ts';
import { useCaller, useReadAgain } from '../../queries/use-call.ts';
import { useServices } from '../../stores/services.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import overlay from '../../ui/overlay.module.css';
import { SafeName } from '../../ui/safe-name.tsx';
import { AgentText, ProgressBar } from '../../ui/states.tsx';
import { countOutcomes, useBatch, type BulkRun, type Outcome } from './run-batch.ts';
import styles from './users.module.css';

/** Commands for all marked users, and the progress of a running one. */
export function BulkBar({ marks }: { readonly marks: Marks }): ReactNode {
  const { t } = useTranslation();
  const bulk = useBulk(marks);
  const count = marks.users.length;
  const changeAll = (changes: UserChanges): void =>
    bulk.start(marks.users.map((user) => ({ user, changes })));
  const { state } = bulk;
  return (
    <div>
      {/* Always present, so that its changes are announced */}
      <span role="status" className="visually-hidden">
        {count === 0 ? '' : t('users.bulk.marked', { count })}
      </span>
      {state.kind === 'ended' ? <BulkFailures outcomes={state.outcomes} close={bulk.clear} /> : null}
      {state.kind === 'running' ? <BulkProgress {...state} cancel={bulk.cancel} /> : null}
      {state.kind === 'running' || count === 0 ? null : (
        <section aria-label={t('users.bulk.label')} className={styles['bulk']}>
          <span aria-hidden>{t('users.bulk.marked', { count })}</span>
          <Button icon={UserX} onPress={() => changeAll({ isActive: false })}>
            {t('users.bulk.deactivate')}
          </Button>
          <Button icon={UserCheck} onPress={() => changeAll({ isActive: true })}>
            {t('users.bulk.activate')}
          </Button>
          <RoleMenu choose={(role) => changeAll({ role })} />
          <Button kind="quiet" icon={X} onPress={marks.clear}>
            {t('users.bulk.clear')}
          </Button>
        </section>
      )}
    </div>
  );
}

function BulkProgress({
  done,
  total,
  cancel,
}: {
  readonly done: number;
  readonly total: number;
  readonly cancel: () => void;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <section aria-label={t('users.bulk.label')} className={styles['bulk']}>
      <span>{t('users.bulk.running', { done, total })}</span>
      <div className={styles['bar']}>
        <ProgressBar label={t('users.bulk.label')} share={done / total} />
      </div>
      <Button autoFocus onPress={cancel}>
        {t('users.bulk.stop')}
      </Button>
    </section>
  );
}

function RoleMenu({ choose }: { readonly choose: (role: (typeof userRoles)[number]) => void }): ReactNode {
  const { t } = useTranslation();
  return (
    <MenuTrigger>
      <Button icon={UserCog}>{t('users.bulk.role')}</Button>
      <Popover className={overlay['popover'] ?? ''}>
        <Menu className={overlay['list'] ?? ''} aria-label={t('users.bulk.role')}>
          {userRoles.map((role) => (
            <MenuItem key={role} className={overlay['item'] ?? ''} onAction={() => choose(role)}>
              {t(`users.roles.${role}`)}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}

/** The users whose change failed, and why; nothing when all succeeded. */
function BulkFailures({
  outcomes,
  close,
}: {
  readonly outcomes: readonly Outcome<BulkItem, TeamUser>[];
  readonly close: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const failed = outcomes.filter((outcome) => outcome.kind === 'failed');
  const { left } = countOutcomes(outcomes);
  if (failed.length === 0) return null;
  return (
    <Dialog
      title={t('users.bulk.failedTitle', { count: failed.length })}
      isOpen
      onClose={close}
      actions={<Button onPress={close}>{t('common.close')}</Button>}
    >
      <ul className={styles['failures']}>
        {failed.map(({ item, failure }) => (
          <li key={String(item.user.id)}>
            <strong>
              <span aria-hidden>✕ </span>
              <SafeName name={userName(item.user)} />
            </strong>
            <p>
              <AgentText>
                {failure.message} {failure.advice}
              </AgentText>{' '}
              <code>{failure.code}</code>
            </p>
          </li>
        ))}
      </ul>
      {left === 0 ? null : <p>{t('users.bulk.left', { count: left })}</p>}
      <p>{t('users.bulk.stillMarked')}</p>
    </Dialog>
  );
}

/** A change to one of the marked users. */
interface BulkItem {
  readonly user: TeamUser;
  readonly changes: UserChanges;
}

type BulkOutcome = Outcome<BulkItem, TeamUser>;

/**
 * Changes users one after another. Successes are reported in a notice, which can undo them; users whose change failed
 * stay marked.
 */
function useBulk(marks: Marks): BulkRun<BulkItem, TeamUser> {
  const { t } = useTranslation();
  const { notices } = useServices();
  const { call } = useCaller();
  const usersChanged = useReadAgain('users.');
  return useBatch<BulkItem, TeamUser>(
    ({ user, changes }) => call('users.update', { userId: user.id, changes }),
    (outcomes, again) => {
      usersChanged();
      const { done, failed, left } = countOutcomes(outcomes);
      const rest = outcomes.filter(({ kind }) => kind !== 'done');
      marks.set(rest.map(({ item }) => item.user));
      const items = reversed(outcomes);
      const missed = failed + left === 0 ? '' : ` ${t('users.bulk.notDone', { count: failed + left })}`;
      notices.show({
        level: failed > 0 ? 'failure' : 'info',
        text: t('users.bulk.done', { count: done }) + missed,
        ...(items.length === 0 ? {} : { undo: () => again(items) }),
      });
    },
  );
}

/** Changes that undo the successful ones; a value that was not known, or did not change, is left alone. */
function reversed(outcomes: readonly BulkOutcome[]): readonly BulkItem[] {
  return outcomes.flatMap((outcome) => {
    if (outcome.kind !== 'done') return [];
    const { isActive, role } = outcome.item.user;
    const { changes } = outcome.item;
    const isAccessBack = isActive !== undefined && changes.isActive === !isActive;
    const isRoleBack = role !== undefined && changes.role !== undefined && changes.role !== role;
    const before = { ...(isAccessBack && { isActive }), ...(isRoleBack && { role }) };
    const back = userChangesSchema.safeParse(before);
    const isEmpty = Object.keys(before).length === 0;
    return isEmpty || !back.success ? [] : [{ user: outcome.output, changes: back.data }];
  });
}

/** The users marked for a bulk change; marks are kept while the list changes page. */
export interface Marks {
  readonly users: readonly TeamUser[];
  readonly ids: ReadonlySet<string>;
  readonly toggle: (user: TeamUser) => void;
  /** Marks these as well, or unmarks them if all of them are marked. */
  readonly toggleAll: (users: readonly TeamUser[]) => void;
  /** Marks exactly these. */
  readonly set: (users: readonly TeamUser[]) => void;
  readonly clear: () => void;
}

const none: ReadonlySet<string> = new Set();

const idOf = ({ id }: TeamUser): string => String(id);

/**
 * `filterKey` identifies the filters, and `listed` is the latest data: no invisible user can be marked, and no change
 * or undo is based on outdated data.
 */
export function useMarks(filterKey: string, listed: readonly TeamUser[]): Marks {
  const [state, setState] = useState({ filterKey, marked: none });
  const marked = state.filterKey === filterKey ? state.marked : none;
  const users = listed.filter((user) => marked.has(idOf(user)));
  const ids = new Set(users.map(idOf));
  const put = (chosen: Iterable<string>): void => setState({ filterKey, marked: new Set(chosen) });
  return {
    users,
    ids,
    toggle(user) {
      const id = idOf(user);
      put(ids.has(id) ? [...ids].filter((each) => each !== id) : [...ids, id]);
    },
    toggleAll(others) {
      const all = new Set(others.map(idOf));
      const rest = [...ids].filter((id) => !all.has(id));
      put(ids.size - rest.length === all.size ? rest : [...rest, ...all]);
    },
    set: (chosen) => put(chosen.map(idOf)),
    clear: () => put([]),
  };
}
