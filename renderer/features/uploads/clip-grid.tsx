import { useCallback, useMemo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ClipPage, ClipRowView } from '../../../shared/domain/upload-view.ts';
import { DataGrid } from '../../ui/data-grid.tsx';
import type { RowWindow } from '../../ui/use-row-window.ts';
import { clipColumns } from './clip-columns.tsx';
import type { ChangeSearch, UploadsSearch } from './uploads-search.ts';

const sortable: ReadonlySet<string> = new Set(['createdAt', 'startedAt', 'file', 'sizeBytes']);

/** The clips of an incident, or of all. */
export function ClipGrid({
  clips,
  search,
  change,
}: {
  readonly clips: RowWindow<ClipPage>;
  readonly search: UploadsSearch;
  readonly change: ChangeSearch;
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
