import { useId, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { HistorySubject } from '../../../../shared/domain/upload-history.ts';
import { useRead } from '../../../queries/use-call.ts';
import { FailurePanel } from '../../../ui/states.tsx';
import { TimeText } from '../../../ui/time-text.tsx';
import { groupHistory } from './group-history.ts';
import { HistoryItem } from './history-item.tsx';
import styles from '../uploads.module.css';

/** What happened to a clip or an incident, newest first. It follows what happens without saying so aloud. */
export function UploadHistory({ of }: { readonly of: HistorySubject }): ReactNode {
  const { t } = useTranslation();
  const headingId = useId();
  const { data, error, refetch } = useRead('uploads.getHistory', { of });
  if (error !== null) return <FailurePanel failure={error.failure} onRetry={() => void refetch()} />;
  if (data === undefined) return null;
  const { items, tries } = groupHistory(data);
  return (
    <section aria-labelledby={headingId} className={styles['history']}>
      <h3 id={headingId}>{t('uploads.history.title')}</h3>
      {data.nextTryAt === undefined ? null : (
        <p className={styles['next']}>
          <span aria-hidden>○</span> {t('uploads.history.nextTry')} <TimeText value={data.nextTryAt} />
        </p>
      )}
      <ol reversed className={styles['items']}>
        {items.map((item) => (
          <HistoryItem key={item.key} item={item} tries={tries} isIncident={of.kind === 'incident'} />
        ))}
      </ol>
    </section>
  );
}
