import { ArrowDown, ArrowUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import type { ChangeSearch, PeriodsSearch } from './periods-search.ts';
import { firstOrder, orderWords } from './select-actions.ts';
import styles from './periods.module.css';

/** The order of the actions without the headings of the grid, which only a pointer reaches. */
export function SortFields({
  columns,
  search,
  change,
}: {
  readonly columns: readonly { readonly id: string; readonly heading: string }[];
  readonly search: PeriodsSearch;
  readonly change: ChangeSearch;
}): ReactNode {
  const { t } = useTranslation();
  const isUp = search.order === 'ascending';
  return (
    <div className={styles['sort']}>
      <SelectField
        label={t('periods.sort')}
        choices={columns.map(({ id, heading }) => ({ id, label: heading }))}
        value={search.sort}
        onChange={(id) => change({ sort: id, order: firstOrder(id) })}
      />
      <Button
        icon={isUp ? ArrowUp : ArrowDown}
        onPress={() => change({ order: isUp ? 'descending' : 'ascending' })}
      >
        {t(`periods.order${orderWords({ columnId: search.sort, order: search.order })}`)}
      </Button>
    </div>
  );
}
