import { useCallback, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ServiceId } from '../../../shared/domain/ids.ts';
import { EmptyState, FailurePanel, LoadingState } from '../../ui/states.tsx';
import { PeriodListBox } from './period-list-box.tsx';
import type { ChangeSearch, PeriodsSearch } from './periods-search.ts';
import styles from './periods.module.css';
import { RangeFields } from './range-fields.tsx';
import type { PeriodList } from './use-periods.ts';

/** The periods of the range, with what goes on now on top. */
export function PeriodPane({
  periods,
  search,
  change,
}: {
  readonly periods: PeriodList;
  readonly search: PeriodsSearch;
  readonly change: ChangeSearch;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <section aria-label={t('periods.list')} className={styles['periods']}>
      <h2 className="visually-hidden">{t('periods.list')}</h2>
      <div className={styles['paneHead']}>
        <RangeFields from={search.from} to={search.to} isTurned={periods.isTurned} change={change} />
      </div>
      <div className={styles['paneBody']}>
        <PeriodRows periods={periods} search={search} change={change} />
      </div>
    </section>
  );
}

function PeriodRows({
  periods,
  search,
  change,
}: {
  readonly periods: PeriodList;
  readonly search: PeriodsSearch;
  readonly change: ChangeSearch;
}): ReactNode {
  const { t } = useTranslation();
  const choose = useCallback((id: ServiceId) => change({ period: id, action: undefined }), [change]);
  const { listed, failure, isLoading, isTurned, retry } = periods;
  // The field says why
  if (isTurned) return null;
  if (isLoading) return <LoadingState />;
  if (failure !== undefined && listed.length === 0)
    return (
      <div className={styles['failed']}>
        <FailurePanel failure={failure} title={t('periods.listFailed')} onRetry={retry} />
      </div>
    );
  const isRanged = search.from !== undefined || search.to !== undefined;
  if (listed.length === 0)
    return (
      <EmptyState title={t('periods.emptyTitle')}>
        {t(isRanged ? 'periods.emptyRange' : 'periods.emptyText')}
      </EmptyState>
    );
  return <PeriodListBox listed={listed} chosen={search.period} onChoose={choose} />;
}
