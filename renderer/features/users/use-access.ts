import { useTranslation } from 'react-i18next';
import { userName, type TeamUser } from '../../../shared/domain/team-user.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { useOrder } from '../../queries/use-call.ts';
import { useServices } from '../../stores/services.ts';
import { useUsersChanged } from './use-users-changed.ts';

/** Gives or takes access at once; the notice takes it back. */
export function useAccess(): (user: TeamUser, isActive: boolean) => void {
  const { t } = useTranslation();
  const { notices } = useServices();
  const usersChanged = useUsersChanged();
  const update = useOrder('users.update', {
    onDone: (user) => {
      usersChanged();
      const isActive = user.isActive !== false;
      const name = visibleName(userName(user));
      notices.show({
        level: 'info',
        text: isActive ? t('users.activated', { name }) : t('users.deactivated', { name }),
        undo: () => update.mutate({ userId: user.id, changes: { isActive: !isActive } }),
      });
    },
    onFailed: ({ message, advice }) => notices.show({ level: 'failure', text: `${message} ${advice}` }),
  });
  return (user, isActive) => update.mutate({ userId: user.id, changes: { isActive } });
}
