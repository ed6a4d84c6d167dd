import { Pause, Play, RotateCcw } from 'lucide-react';
import { lazy, memo, Suspense, useCallback, useMemo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ClipPage } from '../../../shared/domain/upload-view.ts';
import { formatSpeed } from '../../../shared/lib/bytes.ts';
import { useAsk, useRead } from '../../queries/use-call.ts';
import { useScreenSearch } from '../../stores/screen-search.ts';
import { useCommand, useLink, useServices } from '../../stores/services.ts';
import { useCalmProgress } from '../../stores/use-now.ts';
import { Button } from '../../ui/button.tsx';
import { SearchBox } from '../../ui/fields.tsx';
import { FilterTabs } from '../../ui/filter-tabs.tsx';
import { Screen } from '../../ui/screen.tsx';
import { EmptyState, FailurePanel, LoadingState } from '../../ui/states.tsx';
import { useRowWindow } from '../../ui/use-row-window.ts';
import { SeenExports, SeenInspector } from './seen-exports.tsx';
import { AddFolder } from './preview-folder.tsx';
import { useUploadCommands } from './upload-commands.tsx';
import { UploadInspector } from './upload-inspector.tsx';
import {
  ClipGrid,
  IncidentPane,
  uploadsSearchSchema,
  type ChangeUploadsSearch,
  type UploadsSearch,
} from './upload-lists.tsx';
import styles from './uploads.module.css';

const filters = ['all', 'uploading', 'waiting', 'paused', 'failed', 'uploaded'] as const;

/** Incidents, their clips, and everything about the chosen one. */
export function UploadsScreen(): ReactNode {
  const { t } = useTranslation();
  const [search, changeSearch] = useScreenSearch(uploadsSearchSchema);
  const change: ChangeUploadsSearch = useCallback(
    // The inspector shows what was chosen last
    (next) => changeSearch('clip' in next || 'incident' in next ? { export: undefined, ...next } : next),
    [changeSearch],
  );
  const { incidents, placeOf, clips } = useLists(search);
  const counts = clips.page?.counts;
  return (
    <Screen
      title={t('uploads.title')}
      filters={<Filters state={search.state} search={search.search} counts={counts} change={change} />}
      actions={<QueueCommands failed={counts?.failed ?? 0} />}
      inspector={
        search.export === undefined ? (
          <UploadInspector clipId={search.clip} incidentId={search.incident} />
        ) : (
          <SeenInspector exportId={search.export} change={change} />
        )
      }
      inspectorLabel={t('uploads.inspector')}
    >
      <div className={styles['work']}>
        <SeenExports chosen={search.export} change={change} />
        <div className={styles['panes']}>
          <IncidentPane incidents={incidents} placeOf={placeOf} chosen={search.incident} change={change} />
          <section aria-label={t('uploads.clips')} className={styles['clips']}>
            <ClipArea clips={clips} search={search} change={change} />
            <SpeedGraph />
          </section>
        </div>
      </div>
    </Screen>
  );
}

/** Pages of rows come by the second while someone scrolls; what stands around them is not drawn anew for them. */
const Filters = memo(function Filters({
  state,
  search,
  counts,
  change,
}: Pick<UploadsSearch, 'state' | 'search'> & {
  readonly counts: ClipPage['counts'] | undefined;
  readonly change: ChangeUploadsSearch;
}): ReactNode {
  const { t } = useTranslation();
  const total =
    counts === undefined ? undefined : Object.values(counts).reduce((sum, count) => sum + count, 0);
  return (
    <>
      <FilterTabs
        label={t('uploads.filter')}
        value={state}
        onChange={(chosen) => change({ state: chosen })}
        filters={filters.map((id) => ({
          id,
          label:
            id === 'all'
              ? t('common.all')
              : id === 'uploading'
                ? t('uploads.filterActive')
                : t(`state.${id}`),
          count: id === 'all' ? total : counts?.[id],
        }))}
      />
      <SearchBox label={t('uploads.search')} value={search} onChange={(text) => change({ search: text })} />
    </>
  );
});

function useLists({ state, search, sort, order, incident }: UploadsSearch) {
  const ask = useAsk();
  const wanted = search.trim();
  const words = useMemo(() => (wanted === '' ? {} : { search: wanted }), [wanted]);
  const incidents = useRowWindow(['uploads.listIncidents', words], (offset, limit) =>
    ask('uploads.listIncidents', { ...words, offset, limit }),
  );
  const placeOf = useCallback(
    (incidentId: string) =>
      ask('uploads.placeOfIncident', { ...words, incidentId }).then(
        ({ index }) => index,
        // It is chosen all the same, and stands above the list
        () => undefined,
      ),
    [ask, words],
  );
  const query = {
    ...words,
    ...(state === 'all' ? {} : { state }),
    ...(incident === undefined ? {} : { incidentId: incident }),
    sort,
    order,
  };
  const clips = useRowWindow(['uploads.listClips', query], (offset, limit) =>
    ask('uploads.listClips', { ...query, offset, limit }),
  );
  return { incidents, placeOf, clips };
}

function ClipArea({
  clips,
  search,
  change,
}: {
  readonly clips: ReturnType<typeof useLists>['clips'];
  readonly search: UploadsSearch;
  readonly change: ChangeUploadsSearch;
}): ReactNode {
  const { t } = useTranslation();
  const { commands } = useServices();
  const { kind } = useLink();
  // While the agent cannot be asked, for whatever reason, the strip says so and the last answer stays to be read
  const isKept = kind !== 'open' && clips.page !== undefined;
  if (clips.failure !== undefined && !isKept)
    return <FailurePanel failure={clips.failure} onRetry={() => commands.run('app.refresh')} />;
  if (clips.isLoading) return <LoadingState />;
  if (clips.total > 0) return <ClipGrid clips={clips} search={search} change={change} />;
  const isFiltered = search.state !== 'all' || search.search !== '' || search.incident !== undefined;
  if (!isFiltered) return <NothingQueued />;
  const showAll = (): void => change({ state: 'all', search: '', incident: undefined });
  return (
    <EmptyState
      title={t('uploads.emptyFiltered')}
      action={<Button onPress={showAll}>{t('uploads.showAll')}</Button>}
    />
  );
}

function NothingQueued(): ReactNode {
  const { t } = useTranslation();
  const { data: health } = useRead('health.get', {});
  const isArriving = health !== undefined && Object.values(health.exports).some((count) => count > 0);
  return (
    <EmptyState title={t(isArriving ? 'uploads.emptyArrivingTitle' : 'uploads.emptyTitle')}>
      <p>{t(isArriving ? 'uploads.emptyArrivingText' : 'uploads.emptyText')}</p>
    </EmptyState>
  );
}

const QueueCommands = memo(function QueueCommands({ failed }: { readonly failed: number }): ReactNode {
  const { t } = useTranslation();
  const commands = useUploadCommands();
  const { data: health } = useRead('health.get', {});
  const isPaused = health?.isPaused ?? false;
  const turn = (): void => (isPaused ? commands.resume({ kind: 'all' }) : commands.pause({ kind: 'all' }));
  const retryAll = (): void => commands.retry({ kind: 'all' });
  useCommand('uploads.pauseAll', turn);
  useCommand('uploads.retryAll', retryAll, failed > 0);
  return (
    <>
      <Button icon={isPaused ? Play : Pause} onPress={turn}>
        {isPaused ? t('uploads.resumeAll') : t('uploads.pauseAll')}
      </Button>
      {failed === 0 ? null : (
        <Button icon={RotateCcw} onPress={retryAll}>
          {t('uploads.retryFailed', { count: failed })}
        </Button>
      )}
      <AddFolder />
    </>
  );
});

const SECONDS = 300;

const SpeedPlot = lazy(async () => {
  const { SpeedPlot: plot } = await import('./speed-plot.tsx');
  return { default: plot };
});

/** The speed of the last minutes as a curve, and in words for those who do not see it. */
const SpeedGraph = memo(function SpeedGraph(): ReactNode {
  const { t } = useTranslation();
  const history = useCalmProgress((progress) => progress.history);
  if (history.length < 2) return null;
  const mean = history.reduce((sum, speed) => sum + speed, 0) / history.length;
  return (
    <figure className={styles['graph']}>
      <Suspense fallback={<div className={styles['plot']} />}>
        <SpeedPlot history={history} seconds={SECONDS} />
      </Suspense>
      <figcaption>
        {t('uploads.speedGraph')}
        {': '}
        {t('uploads.speedText', {
          now: formatSpeed(history.at(-1) ?? 0),
          mean: formatSpeed(mean),
          highest: formatSpeed(Math.max(...history)),
        })}
      </figcaption>
    </figure>
  );
});
