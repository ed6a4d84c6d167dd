import type { ReactNode } from 'react';
import { ToggleButton, ToggleButtonGroup } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../../format/numbers.ts';
import { useLocale } from '../../stores/services.ts';
import { SafeName } from '../../ui/safe-name.tsx';
import type { ChangeSearch, PeriodsSearch } from './periods-search.ts';
import type { Facets } from './select-actions.ts';
import { lookOf } from './status-words.ts';
import styles from './actions.module.css';

/** Every status that occurs, with its count; the chosen one is shown alone, chosen again all are. */
export function StatusFilter({
  facets,
  search,
  change,
}: {
  readonly facets: Facets;
  readonly search: PeriodsSearch;
  readonly change: ChangeSearch;
}): ReactNode {
  const { t } = useTranslation();
  const { statuses, ai } = facets;
  return (
    <div className={styles['filter']}>
      <ToggleButtonGroup
        aria-label={t('periods.statuses')}
        className={styles['statusGroup'] ?? ''}
        selectionMode="single"
        selectedKeys={search.status === undefined ? [] : [toId(search.status)]}
        onSelectionChange={(keys) => change({ status: statuses.find(({ key }) => keys.has(toId(key)))?.key })}
      >
        {statuses.map(({ key, word, count }) => (
          <ToggleButton
            key={key}
            id={toId(key)}
            className={styles['statusTag'] ?? ''}
            data-tone={lookOf(key).tone}
          >
            <span aria-hidden>{lookOf(key).glyph}</span>
            {key === '' ? t('periods.statusNone') : <SafeName name={word} />}
            <Count value={count} />
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
      {statuses.length === 0 && !search.ai ? null : (
        <ToggleButton
          className={styles['statusTag'] ?? ''}
          isSelected={search.ai}
          onChange={(isOn) => change({ ai: isOn })}
        >
          <span aria-hidden>✦</span>
          {t('periods.ai')}
          <Count value={ai} />
        </ToggleButton>
      )}
    </div>
  );
}

function Count({ value }: { readonly value: number }): ReactNode {
  const locale = useLocale();
  return <span className={styles['count']}>{formatCount(value, locale)}</span>;
}

/** An empty key names nothing. */
const toId = (key: string): string => `=${key}`;
