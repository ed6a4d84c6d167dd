import type { TFunction } from 'i18next';
import type { ClipRowView } from '../../../shared/domain/upload-view.ts';
import { formatBytes } from '../../../shared/lib/bytes.ts';
import type { GridColumn } from '../../ui/grid-types.ts';
import { SafeName } from '../../ui/safe-name.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import { ShortTime } from '../../ui/short-time.tsx';
import { ClipProgress } from './clip-progress.tsx';

/** The columns of the clip grid. */
export function clipColumns(t: TFunction): readonly GridColumn<ClipRowView>[] {
  return [
    {
      id: 'state',
      heading: t('uploads.columnState'),
      minWidth: 108,
      cell: ({ state }) => <StateMark state={state} />,
    },
    {
      id: 'camera',
      heading: t('uploads.columnCamera'),
      minWidth: 90,
      share: 0.4,
      cell: ({ camera }) => (camera === undefined ? null : <SafeName name={camera} />),
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
      minWidth: 92,
      align: 'end',
      isSortable: true,
      cell: ({ sizeBytes }) => <span className="ltr">{formatBytes(sizeBytes)}</span>,
    },
    {
      id: 'progress',
      heading: t('uploads.columnProgress'),
      minWidth: 150,
      share: 0.8,
      cell: (row) => <ClipProgress clip={row} />,
    },
    {
      id: 'startedAt',
      heading: t('uploads.columnRecorded'),
      minWidth: 172,
      isSortable: true,
      cell: ({ startedAt }) => <ShortTime value={startedAt} />,
    },
  ];
}
