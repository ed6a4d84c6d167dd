import { memo, useMemo, type ReactNode } from 'react';
import { ListBox, ListBoxItem, ListLayout, Virtualizer } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import type { ServiceId } from '../../../shared/domain/ids.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { SafeName } from '../../ui/safe-name.tsx';
import { idKey, type ListedPeriod } from './order-periods.ts';
import { periodName } from './period-name.ts';
import { PeriodTimes } from './period-times.tsx';
import { PhaseMark } from './phase-mark.tsx';
import styles from './period-list-box.module.css';

/** Height of a row of two lines, pixels. */
const ROW_HEIGHT = 48;

/**
 * The periods with what goes on now on top; only those in view are in the page. Not drawn anew for what changes
 * beside it: there may be thousands.
 */
export const PeriodListBox = memo(function PeriodListBox({
  listed,
  chosen,
  onChoose,
}: {
  readonly listed: readonly ListedPeriod[];
  readonly chosen: ServiceId | undefined;
  readonly onChoose: (id: ServiceId) => void;
}): ReactNode {
  const { t } = useTranslation();
  const items = useMemo(
    () => listed.map((each) => ({ ...each, id: idKey(each.period.id), name: periodName(each.period, t) })),
    [listed, t],
  );
  return (
    <Virtualizer layout={ListLayout} layoutOptions={{ rowHeight: ROW_HEIGHT, padding: 0 }}>
      <ListBox
        aria-label={t('periods.list')}
        className={styles['list'] ?? ''}
        items={items}
        selectionMode="single"
        disallowEmptySelection
        selectedKeys={chosen === undefined ? [] : [idKey(chosen)]}
        onSelectionChange={(keys) => {
          const found = keys === 'all' ? undefined : items.find(({ id }) => keys.has(id));
          if (found !== undefined) onChoose(found.period.id);
        }}
      >
        {({ id, name, period, phase }) => (
          <ListBoxItem id={id} textValue={visibleName(name)} className={styles['item'] ?? ''}>
            <span className={styles['name']}>
              <SafeName name={name} cut />
            </span>
            <span className={styles['when']}>
              <PhaseMark phase={phase} />
              <PeriodTimes period={period} />
            </span>
          </ListBoxItem>
        )}
      </ListBox>
    </Virtualizer>
  );
});
