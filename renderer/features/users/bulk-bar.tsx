import { UserCheck, UserCog, UserX, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import { userRoles, type UserChanges } from '../../../shared/domain/team-user.ts';
import { Button } from '../../ui/button.tsx';
import overlay from '../../ui/overlay.module.css';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { BulkFailures } from './bulk-failures.tsx';
import type { Marks } from './use-marks.ts';
import { useBulk } from './use-bulk.ts';
import styles from './users.module.css';

/** What can be done with all marked users; while it is being done, how far it is. */
export function BulkBar({ marks }: { readonly marks: Marks }): ReactNode {
  const { t } = useTranslation();
  const bulk = useBulk(marks);
  const count = marks.users.length;
  const order = (changes: UserChanges): void => bulk.start(marks.users.map((user) => ({ user, changes })));
  const { state } = bulk;
  return (
    <div>
      {/* Always there, so that a change of it is told */}
      <span role="status" className="visually-hidden">
        {count === 0 ? '' : t('users.bulk.marked', { count })}
      </span>
      {state.kind === 'ended' ? <BulkFailures outcomes={state.outcomes} close={bulk.clear} /> : null}
      {state.kind === 'running' ? <BulkProgress {...state} cancel={bulk.cancel} /> : null}
      {state.kind === 'running' || count === 0 ? null : (
        <section aria-label={t('users.bulk.label')} className={styles['bulk']}>
          <span aria-hidden>{t('users.bulk.marked', { count })}</span>
          <Button icon={UserX} onPress={() => order({ isActive: false })}>
            {t('users.bulk.deactivate')}
          </Button>
          <Button icon={UserCheck} onPress={() => order({ isActive: true })}>
            {t('users.bulk.activate')}
          </Button>
          <RoleMenu choose={(role) => order({ role })} />
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
        {t('common.cancel')}
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
