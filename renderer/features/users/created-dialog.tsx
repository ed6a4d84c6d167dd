import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { userChangesSchema, userName, type CreatedUser } from '../../../shared/domain/team-user.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { useOrder } from '../../queries/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FailurePanel } from '../../ui/states.tsx';
import styles from './users.module.css';
import { useUsersChanged } from './use-users-changed.ts';

/** What came of creating a user: a password that is shown once, or someone who was there already. */
export function CreatedDialog({
  created,
  close,
}: {
  readonly created: CreatedUser;
  readonly close: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const name = visibleName(userName(created.user));
  return (
    <Dialog
      title={created.wasExisting ? t('users.existingTitle', { name }) : t('users.createdTitle', { name })}
      isOpen
      onClose={close}
      isAlert={created.temporaryPassword !== undefined}
      actions={<Button onPress={close}>{t('common.close')}</Button>}
    >
      {created.wasExisting ? <Existing created={created} close={close} /> : null}
      {created.temporaryPassword === undefined ? null : <Password text={created.temporaryPassword} />}
    </Dialog>
  );
}

function Password({ text }: { readonly text: string }): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      <h3>{t('users.passwordTitle')}</h3>
      <p className={styles['password']}>
        <code className="ltr">{text}</code>
      </p>
      <p>{t('users.passwordText')}</p>
      <CopyButton text={text} label={t('common.copy')} />
    </>
  );
}

const fieldNames = {
  firstName: 'users.firstName',
  lastName: 'users.lastName',
  name: 'users.deviceName',
  role: 'users.role',
  isActive: 'users.columnActive',
} as const;

function Existing({
  created,
  close,
}: {
  readonly created: CreatedUser;
  readonly close: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const usersChanged = useUsersChanged();
  const update = useOrder('users.update', {
    onDone: () => {
      usersChanged();
      close();
    },
  });
  const changes = userChangesSchema.safeParse(
    Object.fromEntries(
      created.keptFields.map(({ name, asked }) => [name, name === 'isActive' ? asked === 'true' : asked]),
    ),
  ).data;
  return (
    <>
      <p>{t('users.existingText')}</p>
      <ul>
        {created.keptFields.map(({ name, asked, kept }) => (
          <li key={name}>
            {t('users.keptField', {
              field: t(fieldNames[name]),
              asked: visibleName(asked),
              kept: visibleName(kept),
            })}
          </li>
        ))}
      </ul>
      {changes === undefined || created.keptFields.length === 0 ? null : (
        <Button
          isDisabled={update.isPending}
          onPress={() => update.mutate({ userId: created.user.id, changes })}
        >
          {t('users.updateKept')}
        </Button>
      )}
      {update.error === null ? null : <FailurePanel failure={update.error.failure} />}
    </>
  );
}
