import type { TFunction } from 'i18next';
import { useMemo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Action } from '../../../shared/domain/action.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { Button } from '../../ui/button.tsx';
import { DataGrid } from '../../ui/data-grid.tsx';
import type { GridColumn } from '../../ui/grid-head.tsx';
import { SortFields } from '../../ui/select-field.tsx';
import { AgentText, EmptyState, FailurePanel, LoadingState } from '../../ui/states.tsx';
import { ShortTime } from '../../ui/time-text.tsx';
import { FieldChooser, StatusFilter } from './field-chooser.tsx';
import { AiMark, CutName, FieldValue, StatusChip } from './action-inspector.tsx';
import { useSeenFields } from './form-field.ts';
import { type ChangePeriodsSearch, type PeriodsSearch, idKey } from './periods.ts';
import styles from './periods.module.css';
import { fieldColumn, firstOrder, orderWords } from './select-actions.ts';
import type { ActionView } from './use-periods.ts';

const nothing: readonly Action[] = [];

/** Filters, form fields and the grid of the actions. */
export function ActionArea({
  view,
  search,
  change,
}: {
  readonly view: ActionView;
  readonly search: PeriodsSearch;
  readonly change: ChangePeriodsSearch;
}): ReactNode {
  const { t } = useTranslation();
  const columns = useMemo(() => actionColumns(t, view.fields), [t, view.fields]);
  return (
    <section aria-label={t('periods.actions')} className={styles['actions']}>
      <h2 className="visually-hidden">{t('periods.actions')}</h2>
      {search.period === undefined ? null : (
        <Tools columns={columns} view={view} search={search} change={change} />
      )}
      <Incomplete view={view} />
      <div className={styles['paneBody']}>
        <ActionRows columns={columns} view={view} search={search} change={change} />
      </div>
    </section>
  );
}

/** Says that the service has more actions than could be read: everything shown, filtered and counted is partial. */
function Incomplete({
  view: { actions = nothing, incomplete, retry },
}: {
  readonly view: ActionView;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <div className={styles['incomplete']} hidden={incomplete === undefined}>
      <span role="status">
        {incomplete === undefined ? null : (
          <>
            <strong>{t('periods.incomplete', { count: actions.length })}</strong>{' '}
            <AgentText>{incomplete.message}</AgentText>
          </>
        )}
      </span>
      <Button onPress={retry}>{t('common.tryAgain')}</Button>
    </div>
  );
}

function Tools({
  columns,
  view,
  search,
  change,
}: {
  readonly columns: ReturnType<typeof actionColumns>;
  readonly view: ActionView;
  readonly search: PeriodsSearch;
  readonly change: ChangePeriodsSearch;
}): ReactNode {
  const seen = useSeenFields(view.actions ?? nothing);
  return (
    <>
      <div className={styles['tools']}>
        <StatusFilter facets={view.facets} search={search} change={change} />
        <SortFields
          choices={columns.flatMap(({ id, heading, isSortable }) =>
            isSortable === true ? [{ id, label: heading }] : [],
          )}
          value={search.sort}
          words={orderWords({ columnId: search.sort, order: search.order })}
          onChange={(id) => change({ sort: id, order: firstOrder(id) })}
          onTurn={() => change({ order: search.order === 'ascending' ? 'descending' : 'ascending' })}
        />
      </div>
      <div className={styles['tools']}>
        <FieldChooser
          chosen={search.fields}
          seen={seen}
          actions={view.isAsking ? undefined : view.actions}
          listed={view.rows}
          onChange={(fields) => change({ fields: [...fields] })}
        />
      </div>
    </>
  );
}

function ActionRows({
  columns,
  view,
  search,
  change,
}: {
  readonly columns: ReturnType<typeof actionColumns>;
  readonly view: ActionView;
  readonly search: PeriodsSearch;
  readonly change: ChangePeriodsSearch;
}): ReactNode {
  const { t } = useTranslation();
  const { actions, rows, failure, retry } = view;
  if (search.period === undefined)
    return <EmptyState title={t('periods.noPeriodTitle')}>{t('periods.noPeriodText')}</EmptyState>;
  if (actions === undefined)
    return failure === undefined ? (
      <LoadingState />
    ) : (
      <div className={styles['failed']}>
        <FailurePanel failure={failure} title={t('periods.actionsFailed')} onRetry={retry} />
      </div>
    );
  const sortBy = (columnId: string): void => {
    const turned = search.order === 'descending' ? 'ascending' : 'descending';
    change({ sort: columnId, order: search.sort === columnId ? turned : firstOrder(columnId) });
  };
  if (rows.length === 0) return <NoRows hasActions={actions.length > 0} change={change} />;
  return (
    <div className={styles['grid']} aria-busy={view.isAsking}>
      <DataGrid
        label={t('periods.actions')}
        listKey={JSON.stringify(['actions', { ...search, action: undefined }])}
        columns={columns}
        rowCount={rows.length}
        rowAt={(index) => rows[index]}
        rowId={rowId}
        cursorId={search.action === undefined ? undefined : idKey(search.action)}
        onCursor={({ id }) => change({ action: id })}
        sort={{ columnId: search.sort, order: search.order }}
        onSort={sortBy}
      />
    </div>
  );
}

function NoRows({
  hasActions,
  change,
}: {
  readonly hasActions: boolean;
  readonly change: ChangePeriodsSearch;
}): ReactNode {
  const { t } = useTranslation();
  if (!hasActions)
    return <EmptyState title={t('periods.noActionsTitle')}>{t('periods.noActionsText')}</EmptyState>;
  const showAll = (): void => change({ kind: undefined, status: undefined, ai: false, search: '' });
  return (
    <EmptyState
      title={t('periods.noneFits')}
      action={<Button onPress={showAll}>{t('periods.showAll')}</Button>}
    />
  );
}

const rowId = ({ id }: Action): string => idKey(id);

type Column = GridColumn<Action>;

/** Width for a time in the current year on one line, in a zone with whole hours. */
const TIME_WIDTH = 184;
const TIME_ROOM = 24;

/** Wide enough for an ID of 16 digits. */
const FIELD_WIDTH = 144;

/** The columns of the actions: what they are, the requested form fields, then who, where and when. */
function actionColumns(t: TFunction, fields: readonly string[]): readonly Column[] {
  return [
    ...mainColumns(t),
    ...fields.map((name): Column => ({
      id: fieldColumn(name),
      heading: visibleName(name),
      minWidth: FIELD_WIDTH,
      share: 0.6,
      isSortable: true,
      cell: (action) => <FieldValue action={action} name={name} />,
    })),
    timeColumn('createdAt', t('periods.columnCreated')),
    nameColumn(
      'users',
      t('periods.columnUsers'),
      156,
      ({ assignedUsers }) => assignedUsers.join(', ') || undefined,
      1,
    ),
    nameColumn(
      'channel',
      t('periods.columnChannel'),
      104,
      ({ latestChannel, channel }) => latestChannel ?? channel,
      0.6,
    ),
    timeColumn('assignedAt', t('periods.columnAssigned')),
    timeColumn('doingAt', t('periods.columnDoing')),
    timeColumn('closedAt', t('periods.columnClosed')),
    nameColumn('marker', t('periods.columnMarker'), 100, ({ periodMarker }) => periodMarker),
    nameColumn('createdBy', t('periods.columnCreatedBy'), 130, ({ createdBy }) => createdBy),
  ];
}

function mainColumns(t: TFunction): readonly Column[] {
  return [
    {
      id: 'status',
      heading: t('periods.columnStatus'),
      minWidth: 112,
      isSortable: true,
      cell: ({ status }) => <StatusChip status={status} />,
    },
    nameColumn('kind', t('periods.columnKind'), 80, ({ classification }) => classification),
    nameColumn('sub', t('periods.columnSub'), 110, ({ subClassification }) => subClassification, 0.8),
    {
      id: 'ai',
      heading: t('periods.aiShort'),
      minWidth: 48,
      isSortable: true,
      cell: ({ aiDispatched }) => (aiDispatched === true ? <AiMark isShort /> : null),
    },
  ];
}

function nameColumn(
  id: string,
  heading: string,
  minWidth: number,
  read: (action: Action) => string | undefined,
  share?: number,
): Column {
  return {
    id,
    heading,
    minWidth,
    isSortable: true,
    ...(share === undefined ? {} : { share }),
    cell: (action) => <CutName name={read(action)} />,
  };
}

function timeColumn(id: 'createdAt' | 'assignedAt' | 'doingAt' | 'closedAt', heading: string): Column {
  return {
    id,
    heading,
    minWidth: TIME_WIDTH,
    isSortable: true,
    cell: (action) => <ShortTime value={action[id]} room={TIME_ROOM} />,
  };
}
