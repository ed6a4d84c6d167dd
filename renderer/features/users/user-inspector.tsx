import { Pencil, Trash2, UserCheck, UserX } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ServiceId } from '../../../shared/domain/ids.ts';
import { userName, type TeamUser } from '../../../shared/domain/team-user.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { useCommand } from '../../commands/use-command.ts';
import { useRead } from '../../queries/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { fact, Facts } from '../../ui/facts.tsx';
import { SafeName } from '../../ui/safe-name.tsx';
import { EmptyState, FailurePanel, LoadingState } from '../../ui/states.tsx';
import { TimeText } from '../../ui/time-text.tsx';
import { AccessMark } from './access-mark.tsx';
import { DeleteUser } from './delete-user.tsx';
import { EditUser } from './edit-user.tsx';
import { roleName } from './role-name.ts';
import { useAccess } from './use-access.ts';
import { loginName } from './user-table.ts';
import styles from './users.module.css';

/** The chosen user, read anew from the service. */
export function UserInspector({
  userId,
  onDeleted,
}: {
  readonly userId: ServiceId | undefined;
  readonly onDeleted: () => void;
}): ReactNode {
  const { t } = useTranslation();
  if (userId === undefined)
    return <EmptyState title={t('users.inspector')}>{t('users.nothingChosen')}</EmptyState>;
  return <OfUser userId={userId} onDeleted={onDeleted} />;
}

function OfUser({
  userId,
  onDeleted,
}: {
  readonly userId: ServiceId;
  readonly onDeleted: () => void;
}): ReactNode {
  const { data, error, refetch } = useRead('users.get', { userId });
  if (error !== null) return <FailurePanel failure={error.failure} onRetry={() => void refetch()} />;
  return data === undefined ? <LoadingState /> : <UserDetail user={data} onDeleted={onDeleted} />;
}

interface OfUserProps {
  readonly user: TeamUser;
  readonly onDeleted: () => void;
}

function UserDetail({ user, onDeleted }: OfUserProps): ReactNode {
  const { t } = useTranslation();
  const login = loginName(t, user.loginType);
  return (
    <div className={styles['inspector']}>
      <h2>
        <SafeName name={userName(user)} />
      </h2>
      <AccessMark isActive={user.isActive} />
      <UserOrders user={user} onDeleted={onDeleted} />
      <Facts
        facts={[
          fact(t('users.columnLogin'), login),
          fact(t('users.phoneNumber'), user.phoneNumber && <span className="ltr">{user.phoneNumber}</span>),
          fact(t('users.deviceId'), user.deviceId && <span className="ltr">{user.deviceId}</span>),
          fact(t('users.email'), user.email && <SafeName name={user.email} />),
          fact(t('users.role'), roleName(t, user.role)),
          fact(t('users.createdAt'), user.createdAt && <TimeText value={user.createdAt} />),
          fact(t('users.updatedAt'), user.updatedAt && <TimeText value={user.updatedAt} />),
          fact(t('users.id'), <code className="ltr">{user.id}</code>),
        ]}
      />
    </div>
  );
}

function UserOrders({ user, onDeleted }: OfUserProps): ReactNode {
  const { t } = useTranslation();
  const [open, setOpen] = useState<'edit' | 'delete'>();
  const setAccess = useAccess();
  const name = visibleName(userName(user));
  const isActive = user.isActive !== false;
  useCommand('users.deactivate', () => setAccess(user, false), isActive);
  const close = (): void => setOpen(undefined);
  return (
    <div className={styles['buttons']}>
      <Button icon={Pencil} onPress={() => setOpen('edit')}>
        {t('users.edit')}
      </Button>
      {isActive ? (
        <Button icon={UserX} onPress={() => setAccess(user, false)}>
          {t('users.deactivate')}
        </Button>
      ) : (
        <Button icon={UserCheck} onPress={() => setAccess(user, true)}>
          {t('users.activate')}
        </Button>
      )}
      <Button kind="danger" icon={Trash2} onPress={() => setOpen('delete')}>
        {t('users.delete')}
      </Button>
      {open === 'edit' ? <EditUser user={user} name={name} close={close} /> : null}
      {open === 'delete' ? <DeleteUser user={user} name={name} close={close} onDeleted={onDeleted} /> : null}
    </div>
  );
}
