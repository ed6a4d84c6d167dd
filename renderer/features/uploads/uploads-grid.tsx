import type { TFunction } from 'i18next';
import { Check } from 'lucide-react';
import { useCallback, useMemo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import type { OutlinePage, OutlineRow } from '../../../shared/domain/upload-outline.ts';
import { formatBytes } from '../../../shared/lib/readable-amounts.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { zoneName } from '../../format/format.ts';
import { useAsk } from '../../queries/use-call.ts';
import { usePreference, useServices } from '../../stores/services.ts';
import { DataGrid, type GridTree } from '../../ui/data-grid.tsx';
import type { GridColumn } from '../../ui/grid-head.tsx';
import { stateMark } from '../../ui/states.tsx';
import { useTimeForm } from '../../ui/time-text.tsx';
import type { RowWindow } from '../../ui/use-row-window.ts';
import styles from './outline.module.css';
import {
  cameraCell,
  nameCell,
  pictureCell,
  progressCell,
  recordedCell,
  type CellLook,
} from './row-cells.tsx';
import { shownState } from './seen-exports.tsx';
import {
  choiceOf,
  chosenRow,
  outlineOf,
  rowIdOf,
  turn,
  type ChangeUploadsSearch,
  type UploadsSearch,
} from './uploads-search.ts';

/** Name under which the grid's columns are stored. */
export const GRID_ID = 'uploads';
/** Row heights, pixels: 40 px thumbnails where there is room. */
const heights = { compact: 26, normal: 30, comfortable: 48 } as const;
/** Widths of the thumbnail column, pixels: those of thumbnails in rows of that height. */
const pictureWidths = { compact: 46, normal: 52, comfortable: 84 } as const;

/** Rows marked for a bulk command, by ID. */
export interface Marks {
  readonly rows: ReadonlyMap<string, OutlineRow>;
  readonly toggle: (row: OutlineRow) => void;
}

/** Exports on their way, incidents, and the clips of expanded ones. */
export function UploadsGrid({
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
  const asked = useStore(useServices().arrivals, (state) => state.asked);
  const placeOf = usePlaceOf(search);
  const toggle = useCallback(
    (row: OutlineRow) => {
      if (row.kind === 'incident') change({ turned: turn(search.turned, row.incident.id) });
    },
    [change, search.turned],
  );
  const tree = useMemo<GridTree<OutlineRow>>(() => ({ level, isOpen, onToggle: toggle }), [toggle]);
  const columns = useUploadColumns(toggle, marks);
  const marked = useMemo(() => new Set(marks.rows.keys()), [marks.rows]);
  return (
    <DataGrid
      label={t('uploads.list')}
      keptAs={GRID_ID}
      listKey={JSON.stringify([GRID_ID, { ...outlineOf(search), except: [] }])}
      heights={heights}
      columns={columns}
      rowCount={outline.total}
      rowAt={outline.rowAt}
      rowId={rowIdOf}
      onShow={outline.show}
      cursorId={chosenRow(search)}
      placeOf={placeOf}
      asked={asked}
      onCursor={(row) => change(choiceOf(row))}
      sort={{ columnId: columnOf[search.sort], order: search.order }}
      onSort={(columnId) => change(sortedBy(columnId, search))}
      marked={marked}
      onMark={(row) => row.kind !== 'export' && marks.toggle(row)}
      tree={tree}
    />
  );
}

const level = (row: OutlineRow): number => (row.kind === 'clip' ? 2 : 1);
const isOpen = (row: OutlineRow): boolean | undefined =>
  row.kind === 'incident' && row.shown > 0 ? row.isOpen : undefined;

/** Finds the index of an incident or a clip among all rows; for a clip that is not listed, that of its incident. */
function usePlaceOf(search: UploadsSearch): (rowId: string) => Promise<number | undefined> {
  const ask = useAsk();
  const { incident, clip } = search;
  return useCallback(
    async (rowId) => {
      if (incident === undefined || rowId.startsWith('export:')) return undefined;
      const wanted = { incidentId: incident, ...(clip === undefined ? {} : { clipId: clip }) };
      try {
        const { index } = await ask('uploads.placeOf', { ...outlineOf(search), ...wanted });
        return index;
      } catch {
        // The selection and its details work without it
        return undefined;
      }
    },
    [ask, search, incident, clip],
  );
}

const columnOf = { createdAt: '', incidentAt: 'recorded', title: 'name', sizeBytes: 'size' } as const;

/** The order after a heading is pressed: reversed, or newest, largest or alphabetically first. */
function sortedBy(columnId: string, { sort, order }: UploadsSearch): Partial<UploadsSearch> {
  const next = columnId === 'recorded' ? 'incidentAt' : columnId === 'name' ? 'title' : 'sizeBytes';
  const first = next === 'title' ? 'ascending' : 'descending';
  const other = order === 'ascending' ? 'descending' : 'ascending';
  return { sort: next, order: sort === next ? other : first };
}

function useUploadColumns(
  toggle: (row: OutlineRow) => void,
  marks: Marks,
): readonly GridColumn<OutlineRow>[] {
  const { t } = useTranslation();
  const times = useTimeForm();
  const zone = zoneName(times.now(), times.display, times.locale);
  const picturePx = pictureWidths[usePreference((preferences) => preferences.density)];
  return useMemo(
    () => uploadColumns({ t, times }, { zone, picturePx, toggle, marks }),
    [t, times, zone, picturePx, toggle, marks],
  );
}

/** The columns in order. Users may hide or resize them, as far as `isHidable` and `isSized` allow. */
export const columnIds = ['state', 'picture', 'name', 'camera', 'recorded', 'size', 'progress'] as const;
type ColumnId = (typeof columnIds)[number];
export const isHidable = (id: ColumnId): boolean => id !== 'state' && id !== 'name';
export const isSized = (id: ColumnId): boolean => id !== 'picture';

/**
 * Title, camera and reason share the remaining width: at 1440 px with details open, 40 characters of a title, 24 of a
 * camera and the beginning of a reason are visible.
 */
function uploadColumns(
  look: CellLook,
  {
    zone,
    picturePx,
    toggle,
    marks,
  }: {
    readonly zone: string;
    readonly picturePx: number;
    readonly toggle: (row: OutlineRow) => void;
    readonly marks: Marks;
  },
): readonly GridColumn<OutlineRow>[] {
  const { t } = look;
  return [
    {
      id: 'mark',
      heading: t('uploads.columnMark'),
      isSilent: true,
      minWidth: 26,
      cell: (row) => (row.kind === 'export' ? null : markBox(row, t, marks)),
    },
    {
      id: 'state',
      heading: t('uploads.columnState'),
      minWidth: 132,
      cell: (row) => stateMark(t, stateOf(row)),
    },
    {
      id: 'picture',
      heading: t('uploads.columnPicture'),
      isSilent: true,
      minWidth: picturePx,
      cell: (row) => (row.kind === 'export' ? null : pictureCell(row)),
    },
    {
      id: 'name',
      heading: t('uploads.columnTitle'),
      minWidth: 180,
      share: 41,
      isSortable: true,
      cell: (row) => nameCell(row, look, toggle),
    },
    {
      id: 'camera',
      heading: t('uploads.columnCamera'),
      minWidth: 110,
      share: 23,
      cell: cameraCell,
    },
    {
      id: 'recorded',
      heading: t('uploads.columnRecordedIn', { zone }),
      // Fits the time of day with any zone; with a year or zone, the day is on the line above
      minWidth: 148,
      isSortable: true,
      cell: (row) => recordedCell(row, look),
    },
    {
      id: 'size',
      heading: t('uploads.columnSize'),
      minWidth: 74,
      align: 'end',
      isSortable: true,
      cell: (row) => <span className="ltr">{formatBytes(sizeOf(row))}</span>,
    },
    {
      id: 'progress',
      heading: t('uploads.columnProgress'),
      // Fits the time when a clip was sent on one line
      minWidth: 130,
      share: 18,
      cell: (row) => progressCell(row, look),
    },
  ];
}

function stateOf(row: OutlineRow) {
  if (row.kind === 'export') return shownState(row.seen);
  return row.kind === 'incident' ? row.incident.state : row.clip.state;
}

function sizeOf(row: OutlineRow): number {
  if (row.kind === 'export') return row.seen.facts.sizeBytes;
  return row.kind === 'incident' ? row.incident.sizeBytes : row.clip.sizeBytes;
}

/** A button to mark a row with the pointer; keyboard users mark rows in the grid. */
function markBox(row: OutlineRow, t: TFunction, marks: Marks): ReactNode {
  const isMarked = marks.rows.has(rowIdOf(row));
  const name = row.kind === 'incident' ? row.incident.title : row.kind === 'clip' ? row.clip.file : '';
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-pressed={isMarked}
      aria-label={t('common.mark', { name: visibleName(name) })}
      className={styles['mark']}
      // Keeps the focus in the grid; marking a row does not select it
      onMouseDown={(event) => event.preventDefault()}
      onClick={(event) => {
        event.stopPropagation();
        marks.toggle(row);
      }}
    >
      <span aria-hidden>{isMarked ? <Check size={12} /> : null}</span>
    </button>
  );
}
