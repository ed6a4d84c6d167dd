import type { TFunction } from 'i18next';
import { memo, useCallback, useMemo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { useStore } from 'zustand';
import {
  clipStates,
  type ClipPage,
  type ClipRowView,
  type IncidentPage,
  type IncidentRowView,
} from '../../../shared/domain/upload-view.ts';
import { formatBytes } from '../../../shared/lib/bytes.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { formatShare } from '../../format/numbers.ts';
import { useRead } from '../../queries/use-call.ts';
import { useLocale, useProgress, useServices } from '../../stores/services.ts';
import { Button } from '../../ui/button.tsx';
import { DataGrid, type GridColumn } from '../../ui/data-grid.tsx';
import { SafeName } from '../../ui/safe-name.tsx';
import { ProgressBar, StateMark } from '../../ui/state-mark.tsx';
import { ShortTime } from '../../ui/time-text.tsx';
import type { RowWindow } from '../../ui/use-row-window.ts';
import styles from './uploads.module.css';

/** What of the screen stands in its address. */
export const uploadsSearchSchema = z.object({
  state: z.enum([...clipStates, 'all']).catch('all'),
  search: z.string().max(200).catch(''),
  sort: z.enum(['createdAt', 'startedAt', 'file', 'sizeBytes']).catch('createdAt'),
  order: z.enum(['ascending', 'descending']).catch('descending'),
  incident: z.string().optional().catch(undefined),
  clip: z.string().optional().catch(undefined),
  export: z.string().optional().catch(undefined),
});

/** See `uploadsSearchSchema`. */
export type UploadsSearch = z.infer<typeof uploadsSearchSchema>;

/** Changes the address. */
export type ChangeUploadsSearch = (change: Partial<z.input<typeof uploadsSearchSchema>>) => void;

const sortable: ReadonlySet<string> = new Set(['createdAt', 'startedAt', 'file', 'sizeBytes']);

/** The clips of an incident, or of all. */
export function ClipGrid({
  clips,
  search,
  change,
}: {
  readonly clips: RowWindow<ClipPage>;
  readonly search: UploadsSearch;
  readonly change: ChangeUploadsSearch;
}): ReactNode {
  const { t } = useTranslation();
  const columns = useMemo(() => clipColumns(t), [t]);
  const choose = useCallback((row: ClipRowView) => change({ clip: row.id }), [change]);
  const sortBy = (columnId: string): void => {
    if (!sortable.has(columnId)) return;
    const isSame = search.sort === columnId;
    const order = isSame && search.order === 'descending' ? 'ascending' : 'descending';
    change({ sort: uploadsSort(columnId), order });
  };
  return (
    <DataGrid
      label={t('uploads.clips')}
      columns={columns}
      rowCount={clips.total}
      rowAt={clips.rowAt}
      rowId={rowId}
      onShow={clips.show}
      cursorId={search.clip}
      onCursor={choose}
      sort={{ columnId: search.sort, order: search.order }}
      onSort={sortBy}
    />
  );
}

const rowId = ({ id }: ClipRowView): string => id;

function uploadsSort(columnId: string): UploadsSearch['sort'] {
  if (columnId === 'startedAt' || columnId === 'file' || columnId === 'sizeBytes') return columnId;
  return 'createdAt';
}

/** The columns of the clip grid. */
function clipColumns(t: TFunction): readonly GridColumn<ClipRowView>[] {
  return [
    {
      id: 'state',
      heading: t('uploads.columnState'),
      minWidth: 106,
      cell: ({ state }) => <StateMark state={state} />,
    },
    {
      id: 'camera',
      heading: t('uploads.columnCamera'),
      minWidth: 92,
      share: 0.5,
      cell: ({ camera }) => (camera === undefined ? null : <SafeName name={camera} tip />),
    },
    {
      id: 'file',
      heading: t('uploads.columnFile'),
      minWidth: 150,
      share: 1,
      isSortable: true,
      cell: ({ file }) => <SafeName name={file} cut />,
    },
    {
      id: 'sizeBytes',
      heading: t('uploads.columnSize'),
      minWidth: 84,
      align: 'end',
      isSortable: true,
      cell: ({ sizeBytes }) => <span className="ltr">{formatBytes(sizeBytes)}</span>,
    },
    {
      id: 'progress',
      heading: t('uploads.columnProgress'),
      minWidth: 146,
      share: 0.3,
      cell: (row) => <ClipProgress clip={row} />,
    },
    {
      id: 'startedAt',
      heading: t('uploads.columnRecorded'),
      minWidth: 166,
      isSortable: true,
      cell: ({ startedAt }) => <ShortTime value={startedAt} />,
    },
  ];
}

/** Steps of a bar: smaller ones are narrower than a pixel, and each costs a frame. */
const STEPS = 200;

/** How far a clip is, or why not. Only this cell is drawn anew while bytes move. */
function ClipProgress({ clip }: { readonly clip: ClipRowView }): ReactNode {
  const { t } = useTranslation();
  const locale = useLocale();
  const { state, failure, file, sizeBytes } = clip;
  if (state === 'uploaded') return <span className="dim ltr">{formatShare(1, locale)}</span>;
  if (failure !== undefined && state !== 'uploading')
    return (
      <span lang="en" dir="auto" title={`${failure.message} ${failure.advice}`}>
        {failure.message}
      </span>
    );
  if (state !== 'uploading' && clip.bytesSent === 0) return null;
  return (
    <LiveBar clip={clip} label={t('uploads.progressOf', { file: visibleName(file) })} sizeBytes={sizeBytes} />
  );
}

function LiveBar({
  clip,
  label,
  sizeBytes,
}: {
  readonly clip: ClipRowView;
  readonly label: string;
  readonly sizeBytes: number;
}): ReactNode {
  const share = useProgress((progress) => {
    const sent = Math.max(clip.bytesSent, progress.sentByClip.get(clip.id) ?? 0);
    return sizeBytes === 0 ? 0 : Math.min(Math.floor((sent / sizeBytes) * STEPS) / STEPS, 0.99);
  });
  return <ProgressBar label={label} share={share} />;
}

/** The incidents, newest first; the chosen one filters the clips. */
export const IncidentPane = memo(function IncidentPane({
  incidents,
  placeOf,
  chosen,
  change,
}: {
  readonly incidents: RowWindow<IncidentPage>;
  readonly placeOf: (incidentId: string) => Promise<number | undefined>;
  readonly chosen: string | undefined;
  readonly change: ChangeUploadsSearch;
}): ReactNode {
  const { t } = useTranslation();
  const asked = useStore(useServices().arrivals, (state) => state.asked);
  const columns = useMemo(() => incidentColumns(t), [t]);
  return (
    <section aria-label={t('uploads.incidents')} className={styles['incidents']}>
      <div className={styles['paneHead']}>
        <h2>{t('uploads.incidents')}</h2>
        <Button
          kind="quiet"
          isDisabled={chosen === undefined}
          onPress={() => change({ incident: undefined, clip: undefined })}
        >
          {t('uploads.allIncidents')}
        </Button>
      </div>
      {chosen === undefined ? null : <ChosenIncident incidents={incidents} incidentId={chosen} />}
      <div className={styles['paneBody']}>
        <DataGrid
          label={t('uploads.incidents')}
          columns={columns}
          rowCount={incidents.total}
          rowAt={incidents.rowAt}
          rowId={incidentId}
          onShow={incidents.show}
          cursorId={chosen}
          placeOf={placeOf}
          asked={asked}
          onCursor={(row) => change({ incident: row.id, clip: undefined })}
        />
      </div>
    </section>
  );
});

/** A chosen incident that is not among the loaded rows stands above them: a link may lead to any of thousands. */
function ChosenIncident({
  incidents,
  incidentId,
}: {
  readonly incidents: RowWindow<IncidentPage>;
  readonly incidentId: string;
}): ReactNode {
  const { t } = useTranslation();
  const isListed = incidents.isLoading || incidents.hasRow(({ id }) => id === incidentId);
  const { data } = useRead('uploads.getIncident', { incidentId }, { isEnabled: !isListed });
  if (isListed || data === undefined || data.row.id !== incidentId) return null;
  return (
    <section aria-label={t('uploads.chosenIncident')} className={styles['chosen']}>
      <StateMark state={data.row.state} />
      <SafeName name={data.row.title} />
    </section>
  );
}

function incidentColumns(t: TFunction): readonly GridColumn<IncidentRowView>[] {
  return [
    {
      id: 'state',
      heading: t('uploads.columnState'),
      minWidth: 108,
      cell: ({ state }) => <StateMark state={state} />,
    },
    {
      id: 'title',
      heading: t('uploads.columnTitle'),
      minWidth: 84,
      share: 1,
      cell: ({ title }) => <SafeName name={title} tip />,
    },
    {
      id: 'clips',
      heading: t('uploads.columnClips'),
      minWidth: 66,
      align: 'end',
      cell: ({ uploaded, failed, pending }) =>
        t('uploads.clipCounts', { uploaded, total: uploaded + failed + pending }),
    },
  ];
}

const incidentId = ({ id }: IncidentRowView): string => id;
