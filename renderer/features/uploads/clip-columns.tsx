import type { TFunction } from 'i18next';
import type { ClipRowView } from '../../../shared/domain/upload-view.ts';
import { formatBytes } from '../../../shared/lib/bytes.ts';
import type { GridColumn } from '../../ui/grid-types.ts';
import { SafeName } from '../../ui/safe-name.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import { TimeText } from '../../ui/time-text.tsx';
import { ClipProgress } from './clip-progress.tsx';

/** The columns of the clip grid. */
export function clipColumns(t: TFunction): readonly GridColumn<ClipRowView>[] {
  return [
    {
      id: 'state',
      heading: t('uploads.columnState'),
      width: '118px',
      cell: ({ state }) => <StateMark state={state} />,
    },
    {
      id: 'camera',
      heading: t('uploads.columnCamera'),
      width: 'minmax(90px, 150px)',
      cell: ({ camera }) => (camera === undefined ? null : <SafeName name={camera} />),
    },
    {
      id: 'file',
      heading: t('uploads.columnFile'),
      width: 'minmax(150px, 1fr)',
      isSortable: true,
      cell: ({ file }) => <SafeName name={file} cut />,
    },
    {
      id: 'sizeBytes',
      heading: t('uploads.columnSize'),
      width: '92px',
      align: 'end',
      isSortable: true,
      cell: ({ sizeBytes }) => <span className="ltr">{formatBytes(sizeBytes)}</span>,
    },
    {
      id: 'progress',
      heading: t('uploads.columnProgress'),
      width: 'minmax(150px, 0.8fr)',
      cell: (row) => <ClipProgress clip={row} />,
    },
    {
      id: 'startedAt',
      heading: t('uploads.columnRecorded'),
      width: '196px',
      isSortable: true,
      cell: ({ startedAt }) => <TimeText value={startedAt} />,
    },
  ];
}
