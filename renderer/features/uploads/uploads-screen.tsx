import { Pause, Play, RotateCcw, X } from 'lucide-react';
import { memo, useCallback, type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OutlinePage, OutlineRow } from '../../../shared/domain/upload-outline.ts';
import { useAsk, useRead } from '../../queries/use-call.ts';
import { useScreenSearch } from '../../stores/preferences.ts';
import { useCommand, useLink, useServices } from '../../stores/services.ts';
import { Button } from '../../ui/button.tsx';
import { SearchBox } from '../../ui/fields.tsx';
import { FilterTabs } from '../../ui/select-field.tsx';
import { useFocusKept } from '../../ui/dialog.tsx';
import { Screen } from '../../ui/screen.tsx';
import { EmptyState, FailurePanel, LoadingState } from '../../ui/states.tsx';
import { useRowWindow, type RowWindow } from '../../ui/use-row-window.ts';
import styles from './outline.module.css';
import { AddFolder } from './preview-folder.tsx';
import { SeenInspector } from './seen-exports.tsx';
import { useUploadCommands, UploadButtons } from './upload-commands.tsx';
import { UploadInspector } from './upload-inspector.tsx';
import { UploadsGrid, type Marks } from './uploads-grid.tsx';
import {
  chosenRow,
  nothingChosen,
  outlineOf,
  PAGE_ROWS,
  uploadsSearchSchema,
  type ChangeUploadsSearch,
  type UploadsSearch,
  rowIdOf,
} from './uploads-search.ts';
import { ViewMenu } from './view-menu.tsx';
import type { ClipRowView, IncidentRowView } from '../../../shared/domain/upload-view.ts';
import { MAX_INCIDENTS } from '../../../shared/ipc/calls/proof.ts';
import { SavePacks } from './proof.tsx';

/**
 * The marked rows in their current state; those no longer `loaded` keep their last known one. A different list clears
 * the marks: a command would act on rows that nobody sees.
 */
function useMarks(
  loaded: readonly OutlineRow[],
  { state, search }: UploadsSearch,
): Marks & { readonly clear: () => void } {
  const list = `${state} ${search}`;
  const [rows, setRows] = useState<ReadonlyMap<string, OutlineRow>>(new Map());
  const [markedIn, setMarkedIn] = useState(list);
  const [seen, setSeen] = useState(loaded);
  if (markedIn !== list) {
    setMarkedIn(list);
    setRows(new Map());
  } else if (seen !== loaded) {
    setSeen(loaded);
    const changed = loaded.filter((row) => (rows.get(rowIdOf(row)) ?? row) !== row);
    if (changed.length > 0)
      setRows(new Map([...rows, ...changed.map((row) => [rowIdOf(row), row] as const)]));
  }
  const toggle = useCallback((row: OutlineRow) => {
    setRows((before) => {
      const next = new Map(before);
      if (!next.delete(rowIdOf(row))) next.set(rowIdOf(row), row);
      return next;
    });
  }, []);
  const clear = useCallback(() => setRows(new Map()), []);
  return useMemo(() => ({ rows, toggle, clear }), [rows, toggle, clear]);
}

/** The commands of a clip or an incident, for all marked rows. */
function BulkCommands({
  rows,
  clear,
}: {
  readonly rows: readonly OutlineRow[];
  readonly clear: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const incidentIds = incidentsOf(rows);
  return (
    <section aria-label={t('uploads.marked', { count: rows.length })} className="buttons">
      <Button kind="quiet" icon={X} aria-label={t('common.unmark')} onPress={clear} />
      <strong role="status">{t('uploads.marked', { count: rows.length })}</strong>
      <UploadButtons {...chosenOf(rows)} onChanged={clear} />
      {incidentIds.length === 0 || incidentIds.length > MAX_INCIDENTS ? null : (
        <SavePacks incidentIds={incidentIds} />
      )}
    </section>
  );
}

/** The incidents, and clips that belong to none of them: no clip is included twice. */
export function chosenOf(rows: readonly OutlineRow[]): {
  readonly clips: readonly ClipRowView[];
  readonly incidents: readonly IncidentRowView[];
} {
  const incidents = rows.flatMap((row) => (row.kind === 'incident' ? row.incident : []));
  const marked = new Set(incidents.map(({ id }) => id));
  const clips = rows.flatMap((row) =>
    row.kind === 'clip' && !marked.has(row.clip.incidentId) ? row.clip : [],
  );
  return { clips, incidents };
}

/** The IDs of marked incidents and of those with marked clips, without duplicates. */
function incidentsOf(rows: readonly OutlineRow[]): readonly string[] {
  const ids = rows.flatMap((row) =>
    row.kind === 'incident' ? row.incident.id : row.kind === 'clip' ? row.clip.incidentId : [],
  );
  return [...new Set(ids)];
}

/** Incidents that expand to show their clips, and details of the selected one. */
export function UploadsScreen(): ReactNode {
  const { t } = useTranslation();
  const [search, changeSearch] = useScreenSearch(uploadsSearchSchema);
  const change: ChangeUploadsSearch = useCallback(
    // Rows turned in the previous list have no meaning in another one
    (next) => changeSearch('state' in next || 'search' in next ? { turned: [], ...next } : next),
    [changeSearch],
  );
  const outline = useOutline(search);
  const marks = useMarks(outline.loaded, search);
  const isChosen = chosenRow(search) !== undefined;
  const area = useFocusKept<HTMLDivElement>(marks.rows.size === 0);
  return (
    <Screen
      title={t('uploads.title')}
      filters={
        marks.rows.size === 0 ? (
          <Filters
            state={search.state}
            search={search.search}
            counts={outline.page?.counts}
            change={change}
          />
        ) : (
          <BulkCommands rows={[...marks.rows.values()]} clear={marks.clear} />
        )
      }
      actions={
        <>
          <ViewMenu search={search} change={change} />
          <QueueCommands />
        </>
      }
      inspector={isChosen ? <Details search={search} change={change} /> : undefined}
      inspectorLabel={t('uploads.inspector')}
      onCloseInspector={() => change(nothingChosen)}
    >
      <div ref={area} className={styles['area']}>
        <OutlineArea outline={outline} search={search} change={change} marks={marks} />
      </div>
    </Screen>
  );
}

function Details({
  search,
  change,
}: {
  readonly search: UploadsSearch;
  readonly change: ChangeUploadsSearch;
}): ReactNode {
  if (search.export !== undefined) return <SeenInspector exportId={search.export} change={change} />;
  return <UploadInspector clipId={search.clip} incidentId={search.incident} />;
}

function useOutline(search: UploadsSearch): RowWindow<OutlinePage> {
  const ask = useAsk();
  const query = outlineOf(search);
  return useRowWindow(['uploads.list', query], PAGE_ROWS, (offset, limit) =>
    ask('uploads.list', { ...query, offset, limit }),
  );
}

const filters = ['all', 'uploading', 'waiting', 'paused', 'held', 'failed', 'leftOut', 'uploaded'] as const;
/** Filters that are shown only while they match something. */
const rare: ReadonlySet<string> = new Set(['paused', 'held', 'leftOut']);

/** Memoised: while someone scrolls, pages of rows arrive several times a second. */
const Filters = memo(function Filters({
  state,
  search,
  counts,
  change,
}: Pick<UploadsSearch, 'state' | 'search'> & {
  readonly counts: OutlinePage['counts'] | undefined;
  readonly change: ChangeUploadsSearch;
}): ReactNode {
  const { t } = useTranslation();
  const countOf = (id: (typeof filters)[number]): number | undefined => {
    if (counts === undefined) return undefined;
    if (id === 'all') return Object.values(counts).reduce((sum, count) => sum + count, 0);
    return id === 'waiting' ? counts.waiting + counts.arriving : counts[id];
  };
  const label = (id: (typeof filters)[number]): string => {
    if (id === 'all') return t('common.all');
    if (id === 'held') return t('uploads.filterNotQueued');
    return id === 'uploading' ? t('uploads.filterActive') : t(`state.${id}`);
  };
  return (
    <>
      <FilterTabs
        label={t('uploads.filter')}
        value={state}
        onChange={(chosen) => change({ state: chosen })}
        filters={filters
          .filter((id) => !rare.has(id) || id === state || (countOf(id) ?? 0) > 0)
          .map((id) => ({ id, label: label(id), count: countOf(id) }))}
      />
      <SearchBox label={t('uploads.search')} value={search} onChange={(text) => change({ search: text })} />
    </>
  );
});

function OutlineArea({
  outline,
  search,
  change,
  marks,
}: {
  readonly outline: RowWindow<OutlinePage>;
  readonly search: UploadsSearch;
  readonly change: ChangeUploadsSearch;
  readonly marks: Marks;
}): ReactNode {
  const { t } = useTranslation();
  const { commands } = useServices();
  const { kind } = useLink();
  // While the agent is unreachable, for whatever reason, the strip says so, and the last answer stays visible
  const isKept = kind !== 'open' && outline.page !== undefined;
  if (outline.failure !== undefined && !isKept)
    return <FailurePanel failure={outline.failure} onRetry={() => commands.run('app.refresh')} />;
  if (outline.isLoading) return <LoadingState />;
  if (outline.total > 0)
    return <UploadsGrid outline={outline} search={search} change={change} marks={marks} />;
  if (search.state === 'all' && search.search === '')
    return (
      <EmptyState title={t('uploads.emptyTitle')}>
        <p>{t('uploads.emptyText')}</p>
      </EmptyState>
    );
  const showAll = (): void => change({ state: 'all', search: '' });
  return (
    <EmptyState
      title={t('uploads.emptyFiltered')}
      action={<Button onPress={showAll}>{t('uploads.showAll')}</Button>}
    />
  );
}

const all = [{ kind: 'all' }] as const;

/** Commands for the whole queue; the number on the button is what would be retried. */
const QueueCommands = memo(function QueueCommands(): ReactNode {
  const { t } = useTranslation();
  const commands = useUploadCommands();
  const { data: health } = useRead('health.get', {});
  const isPaused = health?.isPaused ?? false;
  const turn = (): void => (isPaused ? commands.resume(all) : commands.pause(all));
  const retryAll = (): void => commands.retry(all);
  const { retryable = 0, refused = 0 } = health?.queue ?? {};
  const count = retryable + refused;
  useCommand('uploads.pauseAll', turn);
  useCommand('uploads.retryAll', retryAll, count > 0);
  const turnLabel = isPaused ? t('uploads.resumeAll') : t('uploads.pauseAll');
  return (
    <>
      <Button icon={isPaused ? Play : Pause} aria-label={turnLabel} onPress={turn}>
        <span className={styles['word']}>{turnLabel}</span>
      </Button>
      {count === 0 ? null : (
        <Button icon={RotateCcw} onPress={retryAll}>
          {t('uploads.retryFailed', { count })}
        </Button>
      )}
      <AddFolder />
    </>
  );
});
