import { KeyRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../queries/use-call.ts';
import { KeyField } from '../../ui/key-field.tsx';
import { FailurePanel, LoadingState } from '../../ui/states.tsx';
import styles from './settings.module.css';

/** Which key is in use, by its fingerprint, and a field for another one. */
export function KeyPart(): ReactNode {
  const { t } = useTranslation();
  const { data, error, refetch } = useRead('settings.key', {});
  return (
    <section aria-label={t('settings.key')} className={styles['block']}>
      <h3>{t('settings.key')}</h3>
      {error !== null ? (
        <FailurePanel failure={error.failure} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <LoadingState />
      ) : (
        <>
          {data.failure === undefined ? null : <FailurePanel failure={data.failure} />}
          <p>
            <KeyRound size={14} aria-hidden />{' '}
            {data.isSet ? t('settings.keySet', { fingerprint: data.fingerprint }) : t('settings.keyMissing')}
          </p>
        </>
      )}
      <KeyField label={t('settings.newKey')} action={t('settings.setKey')} />
    </section>
  );
}
