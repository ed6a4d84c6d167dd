import type { ReactNode } from 'react';
import { ToggleButton, ToggleButtonGroup } from 'react-aria-components';
import { formatCount } from '../format/format.ts';
import { useLocale } from '../stores/services.ts';
import styles from './ui.module.css';

/** One of the filters; `count` stands beside its words. */
export interface Filter<Id extends string> {
  readonly id: Id;
  readonly label: string;
  readonly count?: number | undefined;
}

/** Filters of which exactly one is set. */
export function FilterTabs<Id extends string>({
  label,
  filters,
  value,
  onChange,
}: {
  readonly label: string;
  readonly filters: readonly Filter<Id>[];
  readonly value: Id;
  readonly onChange: (id: Id) => void;
}): ReactNode {
  const locale = useLocale();
  return (
    <ToggleButtonGroup
      aria-label={label}
      className={styles['tabs'] ?? ''}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[value]}
      onSelectionChange={(keys) => {
        const chosen = filters.find(({ id }) => keys.has(id));
        if (chosen !== undefined) onChange(chosen.id);
      }}
    >
      {filters.map((filter) => (
        <ToggleButton key={filter.id} id={filter.id} className={styles['tab'] ?? ''}>
          {filter.label}
          {(filter.count ?? 0) === 0 ? null : (
            <span className={styles['count']}>{formatCount(filter.count ?? 0, locale)}</span>
          )}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
