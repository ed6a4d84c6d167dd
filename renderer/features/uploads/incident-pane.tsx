import type { TFunction } from 'i18next';
import { memo, useMemo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import type { IncidentPage, IncidentRowView } from '../../../shared/domain/upload-view.ts';
import { useRead } from '../../queries/use-call.ts';
import { useServices } from '../../stores/services.ts';
import { Button } from '../../ui/button.tsx';
import { DataGrid } from '../../ui/data-grid.tsx';
import type { GridColumn } from '../../ui/grid-types.ts';
import { SafeName } from '../../ui/safe-name.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import type { RowWindow } from '../../ui/use-row-window.ts';
import type { ChangeSearch } from './uploads-search.ts';
import styles from './uploads.module.css';

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
  readonly change: ChangeSearch;
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
          rowId={rowId}
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

const rowId = ({ id }: IncidentRowView): string => id;
