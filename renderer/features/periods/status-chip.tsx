import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { SafeName } from '../../ui/safe-name.tsx';
import { keyOf } from './select-actions.ts';
import { lookOf } from './status-words.ts';
import styles from './actions.module.css';

/** The status of an action in the service's own word, with a glyph and a colour where the word is known. */
export function StatusChip({ status }: { readonly status: string | undefined }): ReactNode {
  const { t } = useTranslation();
  const { tone, glyph } = lookOf(keyOf(status));
  return (
    <span className={styles['chip']} data-tone={tone}>
      <span aria-hidden>{glyph}</span>
      <span className={styles['word']}>
        {keyOf(status) === '' ? t('periods.statusNone') : <SafeName name={status ?? ''} />}
      </span>
    </span>
  );
}

/** Says that the AI of the service dispatched the action. */
export function AiMark({ isShort = false }: { readonly isShort?: boolean }): ReactNode {
  const { t } = useTranslation();
  return (
    <span className={styles['ai']} title={t('periods.ai')}>
      <span aria-hidden>✦</span>{' '}
      {isShort ? (
        <>
          <span aria-hidden>{t('periods.aiShort')}</span>
          <span className="visually-hidden">{t('periods.ai')}</span>
        </>
      ) : (
        t('periods.ai')
      )}
    </span>
  );
}
