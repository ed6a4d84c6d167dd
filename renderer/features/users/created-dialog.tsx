import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { userChangesSchema, userName, type CreatedUser } from '../../../shared/domain/team-user.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { useOrder } from '../../queries/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FailurePanel } from '../../ui/states.tsx';
import { keptText } from './kept-text.ts';
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
      // The password is gone with it: a slip of the keyboard does not close it
      onClose={created.temporaryPassword === undefined ? close : () => undefined}
      isAlert={created.temporaryPassword !== undefined}
      actions={<Button onPress={close}>{t('common.close')}</Button>}
    >
      {created.wasExisting ? (
        // A password that stands here too is not taken away with the change
        <Existing created={created} onChanged={created.temporaryPassword === undefined ? close : undefined} />
      ) : null}
      {created.temporaryPassword === undefined ? null : <Password text={created.temporaryPassword} />}
      {created.wasExisting || created.temporaryPassword !== undefined ? null : (
        <p>{t('users.deviceReady')}</p>
      )}
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
      <div className="buttons">
        <CopyButton text={text} label={t('common.copy')} />
      </div>
    </>
  );
}

function Existing({
  created,
  onChanged,
}: {
  readonly created: CreatedUser;
  readonly onChanged: (() => void) | undefined;
}): ReactNode {
  const { t } = useTranslation();
  const usersChanged = useUsersChanged();
  const update = useOrder('users.update', {
    onDone: () => {
      usersChanged();
      onChanged?.();
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
        {created.keptFields.map((field) => (
          <li key={field.name}>{keptText(field, t)}</li>
        ))}
      </ul>
      {update.isSuccess ? <p role="status">{t('users.keptChanged')}</p> : null}
      {changes === undefined || created.keptFields.length === 0 || update.isSuccess ? null : (
        <div className="buttons">
          <Button
            isDisabled={update.isPending}
            onPress={() => update.mutate({ userId: created.user.id, changes })}
          >
            {t('users.updateKept')}
          </Button>
        </div>
      )}
      {update.error === null ? null : <FailurePanel failure={update.error.failure} />}
    </>
  );
}
