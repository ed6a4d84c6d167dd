import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { userName, type TeamUser } from '../../../shared/domain/team-user.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SafeName } from '../../ui/safe-name.tsx';
import { countOutcomes, type Outcome } from './run-each.ts';
import type { BulkItem } from './use-bulk.ts';
import styles from './users.module.css';

/** With whom it did not go well, and why; nothing when it went well with all. */
export function BulkFailures({
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
              {failure.message} {failure.advice} <code>{failure.code}</code>
            </p>
          </li>
        ))}
      </ul>
      {left === 0 ? null : <p>{t('users.bulk.left', { count: left })}</p>}
      <p>{t('users.bulk.stillMarked')}</p>
    </Dialog>
  );
}
