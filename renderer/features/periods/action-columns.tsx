import type { TFunction } from 'i18next';
import type { Action } from '../../../shared/domain/action.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import type { GridColumn } from '../../ui/grid-types.ts';
import { ShortTime } from '../../ui/short-time.tsx';
import { CutName } from './cut-name.tsx';
import { FieldValue } from './field-value.tsx';
import { fieldColumn } from './select-actions.ts';
import { AiMark, StatusChip } from './status-chip.tsx';

type Column = GridColumn<Action>;

const TIME_WIDTH = 162;
const FIELD_WIDTH = 100;

/** The columns of the actions: what they are, the form fields that someone asked for, then whose, where and when. */
export function actionColumns(t: TFunction, fields: readonly string[]): readonly Column[] {
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
    cell: (action) => <ShortTime value={action[id]} />,
  };
}
