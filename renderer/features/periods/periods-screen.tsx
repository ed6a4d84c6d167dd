import type { TFunction } from 'i18next';
import { Download, RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Failure } from '../../../shared/domain/failure.ts';
import type { Period } from '../../../shared/domain/action.ts';
import type { ServiceId } from '../../../shared/domain/ids.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { useScreenSearch } from '../../stores/preferences.ts';
import { useCommand, useLocale, usePreference, useServices } from '../../stores/services.ts';
import { Button } from '../../ui/button.tsx';
import { useSaveCsv } from '../../ui/save-file.ts';
import { SearchBox } from '../../ui/fields.tsx';
import { FilterTabs } from '../../ui/select-field.tsx';
import { Screen } from '../../ui/screen.tsx';
import { AgentText } from '../../ui/states.tsx';
import { fullTime } from '../../ui/time-text.tsx';
import { ActionArea } from './action-area.tsx';
import { ActionInspector } from './action-inspector.tsx';
import { actionTable, csvFileName } from './form-field.ts';
import { PeriodPane } from './period-pane.tsx';
import {
  periodsSearchSchema,
  type ChangePeriodsSearch,
  type PeriodsSearch,
  idKey,
  periodName,
  type ListedPeriod,
} from './periods.ts';
import styles from './periods.module.css';
import type { Facets, knownKinds } from './select-actions.ts';
import { TimeLine } from './time-line.tsx';
import { useActionView, type ActionView, usePeriods } from './use-periods.ts';

/** Periods, the actions of one of them, and details of the selected action. */
export function PeriodsScreen(): ReactNode {
  const { t } = useTranslation();
  const [search, change] = useScreenSearch(periodsSearchSchema);
  const periods = usePeriods(search, change);
  const view = useActionView(search);
  const chosen = chosenPeriod(search.period, periods.listed);
  // A period outside the range is known only from its actions
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
      inspector={search.action === undefined ? undefined : <ActionInspector view={view} search={search} />}
      inspectorLabel={t('periods.inspector')}
      onCloseInspector={() => change({ action: undefined })}
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

/** Exports the listed actions, in their order. */
function ExportActions({
  view,
  name,
}: {
  readonly view: ActionView;
  /** The period's name. */
  readonly name: string;
}): ReactNode {
  const { t } = useTranslation();
  const { notices } = useServices();
  const saveCsv = useSaveCsv();
  const { rows, fields, incomplete, actions = [] } = view;
  const read = incomplete === undefined ? undefined : actions.length;
  const save = async (): Promise<void> => {
    const saved = await saveCsv((day) => csvFileName(name, day), actionTable(rows, fields, t, read));
    if (saved === 'left') return;
    notices.show({ level: 'info', text: t('periods.exported', { count: rows.length }) });
  };
  useCommand('periods.export', () => void save(), rows.length > 0);
  return (
    <Button icon={Download} isDisabled={rows.length === 0} onPress={() => void save()}>
      {t('periods.export')}
    </Button>
  );
}

const ALL = 'all';

/** A key may be empty, which would not be a usable ID. */
const toTab = (key: string): string => `=${key}`;

/** The actions by kind: all, the four standard kinds, and any others the service uses. */
function KindTabs({
  facets,
  isKnown,
  search,
  change,
}: {
  readonly facets: Facets;
  /** Whether the service has answered, so that there is something to count. */
  readonly isKnown: boolean;
  readonly search: PeriodsSearch;
  readonly change: ChangePeriodsSearch;
}): ReactNode {
  const { t } = useTranslation();
  const { kinds, total } = facets;
  return (
    <FilterTabs
      label={t('periods.kinds')}
      value={search.kind === undefined ? ALL : toTab(search.kind)}
      onChange={(tab) => change({ kind: kinds.find(({ key }) => toTab(key) === tab)?.key })}
      filters={[
        { id: ALL, label: t('common.all'), count: isKnown ? total : undefined },
        ...kinds.map(({ key, word, count }) => ({
          id: toTab(key),
          label: kindLabel(key, word, t),
          count: isKnown ? count : undefined,
        })),
      ]}
    />
  );
}

const kindWords: ReadonlyMap<string, string> = new Map<(typeof knownKinds)[number], string>([
  ['task', 'periods.kindTask'],
  ['incident', 'periods.kindIncident'],
  ['request', 'periods.kindRequest'],
  ['checklist', 'periods.kindChecklist'],
]);

/** Label of a kind; unknown kinds keep the service's word. */
function kindLabel(key: string, word: string, t: TFunction): string {
  const known = kindWords.get(key);
  if (known !== undefined) return t(known);
  return key === '' ? t('periods.kindNone') : visibleName(word);
}

/** A list that may be out of date. */
interface Reading {
  readonly failure: Failure | undefined;
  /** When the list on screen was read, milliseconds; 0 when none is. */
  readonly readAtMs: number;
}

/** Says that a list could not be refreshed, why, and how old the shown one is. */
function StaleBanner({ readings }: { readonly readings: readonly Reading[] }): ReactNode {
  const { t } = useTranslation();
  const { commands } = useServices();
  const display = usePreference((preferences) => preferences.times);
  const locale = useLocale();
  const stale = readings.find(({ failure, readAtMs }) => failure !== undefined && readAtMs > 0);
  if (stale?.failure === undefined) return null;
  const time = fullTime(new Date(stale.readAtMs).toISOString(), display, locale);
  return (
    <div role="status" className={styles['banner']}>
      <p>
        <strong>! {t('periods.stale', { time })}</strong>{' '}
        <AgentText>
          {stale.failure.message} {stale.failure.advice}
        </AgentText>
      </p>
      <Button onPress={() => commands.run('app.refresh')}>{t('common.tryAgain')}</Button>
    </div>
  );
}
