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
