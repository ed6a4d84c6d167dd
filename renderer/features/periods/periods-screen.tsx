import { RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useScreenSearch } from '../../stores/screen-search.ts';
import { useServices } from '../../stores/services.ts';
import { Button } from '../../ui/button.tsx';
import { Screen } from '../../ui/screen.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { ActionArea } from './action-area.tsx';
import { ActionInspector } from './action-inspector.tsx';
import { ExportActions } from './export-actions.tsx';
import { KindTabs } from './kind-tabs.tsx';
import type { Period } from '../../../shared/domain/period.ts';
import type { ServiceId } from '../../../shared/domain/ids.ts';
import { idKey, type ListedPeriod } from './order-periods.ts';
import { periodName } from './period-name.ts';
import { PeriodPane } from './period-pane.tsx';
import { periodsSearchSchema } from './periods-search.ts';
import styles from './periods.module.css';
import { StaleBanner } from './stale-banner.tsx';
import { TimeLine } from './time-line.tsx';
import { useActionView } from './use-action-view.ts';
import { usePeriods } from './use-periods.ts';

/** Periods, the actions of one of them, and everything about the chosen action. */
export function PeriodsScreen(): ReactNode {
  const { t } = useTranslation();
  const [search, change] = useScreenSearch(periodsSearchSchema);
  const periods = usePeriods(search, change);
  const view = useActionView(search);
  const chosen = chosenPeriod(search.period, periods.listed);
  // A period outside the range is known by its actions only
  const name = chosen?.name ?? view.actions?.[0]?.periodName;
  return (
    <Screen
      title={t('periods.title')}
      filters={
        <>
          <KindTabs
            facets={view.facets}
            isKnown={view.actions !== undefined}
            search={search}
            change={change}
          />
          <SearchBox
            label={t('periods.search')}
            value={search.search}
            onChange={(text) => change({ search: text })}
          />
        </>
      }
      actions={
        <>
          <ReadAgain />
          <ExportActions view={view} name={name ?? ''} />
        </>
      }
      inspector={<ActionInspector view={view} search={search} />}
      inspectorLabel={t('periods.inspector')}
    >
      <div className={styles['work']}>
        <StaleBanner readings={[view, periods]} />
        <div className={styles['panes']}>
          <PeriodPane periods={periods} search={search} change={change} />
          <div className={styles['middle']}>
            {search.period === undefined ? null : (
              <TimeLine
                name={periodName({ id: search.period, ...(name !== undefined && { name }) }, t)}
                period={chosen}
              />
            )}
            <ActionArea view={view} search={search} change={change} />
          </div>
        </div>
      </div>
    </Screen>
  );
}

function chosenPeriod(id: ServiceId | undefined, listed: readonly ListedPeriod[]): Period | undefined {
  if (id === undefined) return undefined;
  return listed.find(({ period }) => idKey(period.id) === idKey(id))?.period;
}

function ReadAgain(): ReactNode {
  const { t } = useTranslation();
  const { commands } = useServices();
  return (
    <Button kind="quiet" icon={RefreshCw} onPress={() => commands.run('app.refresh')} command="app.refresh">
      {t('periods.refresh')}
    </Button>
  );
}
