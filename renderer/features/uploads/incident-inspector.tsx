import { ArrowUpToLine, Pause, Pencil, Play, RotateCcw, X } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { IncidentDetail, UploadTarget } from '../../../shared/domain/upload-view.ts';
import { formatBytes } from '../../../shared/lib/bytes.ts';
import { useCommand } from '../../commands/use-command.ts';
import { Button } from '../../ui/button.tsx';
import { fact, Facts } from '../../ui/facts.tsx';
import { SafeName } from '../../ui/safe-name.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import { FailurePanel } from '../../ui/states.tsx';
import { TimeText } from '../../ui/time-text.tsx';
import { AskCancel } from './clip-orders.tsx';
import { EditIncident } from './edit-incident.tsx';
import { UploadHistory } from './history/upload-history.tsx';
import { Origins } from './origins.tsx';
import { useUploadOrders } from './use-upload-orders.ts';

/** One incident: how it stands, what can be done with all of it, and what is known of it. */
export function IncidentInspector({ incident }: { readonly incident: IncidentDetail }): ReactNode {
  const { t } = useTranslation();
  const { row } = incident;
  return (
    <div className="stack">
      <h2 className="breakable">
        <SafeName name={row.title} />
      </h2>
      <StateMark state={row.state} />
      {row.failure === undefined ? null : (
        <FailurePanel failure={row.failure} title={t('uploads.failedTitle')} />
      )}
      {incident.folderGone ? <p>{t('uploads.folderGone')}</p> : null}
      <IncidentOrders incident={incident} />
      <IncidentFacts incident={incident} />
      <UploadHistory key={row.id} of={{ kind: 'incident', incidentId: row.id }} />
      <Origins origins={incident.origins} />
    </div>
  );
}

function IncidentFacts({ incident }: { readonly incident: IncidentDetail }): ReactNode {
  const { t } = useTranslation();
  const { row, latitude, longitude } = incident;
  const counts = t('uploads.clipCounts', {
    uploaded: row.uploaded,
    total: row.uploaded + row.failed + row.pending,
  });
  const failed = row.failed === 0 ? '' : `, ${t('uploads.failedCount', { count: row.failed })}`;
  return (
    <Facts
      facts={[
        fact(
          t('uploads.happened'),
          row.incidentAt === undefined ? undefined : <TimeText value={row.incidentAt} both />,
        ),
        fact(
          t('uploads.description'),
          incident.description === undefined ? undefined : <SafeName name={incident.description} />,
        ),
        fact(t('uploads.clips'), counts + failed),
        fact(t('uploads.size'), <span className="ltr">{formatBytes(row.sizeBytes)}</span>),
        fact(
          t('uploads.position'),
          latitude === undefined || longitude === undefined ? undefined : (
            <span className="ltr">{`${latitude}, ${longitude}`}</span>
          ),
        ),
        fact(t('uploads.synced'), incident.isSynced ? t('uploads.syncedYes') : t('uploads.syncedNo')),
        fact(
          t('uploads.lastSynced'),
          incident.lastSyncedAt === undefined ? undefined : <TimeText value={incident.lastSyncedAt} />,
        ),
        fact(t('uploads.foundAt'), <TimeText value={row.createdAt} />),
        fact(
          t('uploads.folder'),
          <span className="ltr">
            <SafeName name={row.folder} />
          </span>,
        ),
        fact(t('uploads.id'), <code className="ltr">{row.id}</code>),
      ]}
    />
  );
}

function IncidentOrders({ incident }: { readonly incident: IncidentDetail }): ReactNode {
  const { t } = useTranslation();
  const orders = useUploadOrders();
  const [isAsking, setAsking] = useState(false);
  const [isEditing, setEditing] = useState(false);
  useCommand('uploads.edit', () => setEditing(true));
  const { row } = incident;
  const target: UploadTarget = { kind: 'incident', incidentId: row.id };
  const isPaused = row.state === 'paused';
  const isOpen = row.pending > 0;
  const turn = (): void => (isPaused ? orders.resume(target) : orders.pause(target));
  useCommand('uploads.retry', () => orders.retry(target), row.failed > 0 || row.failure !== undefined);
  useCommand('uploads.pause', turn, isOpen);
  useCommand('uploads.front', () => orders.moveToFront(target), isOpen);
  useCommand('uploads.cancel', () => setAsking(true), isOpen);
  return (
    <div className="buttons">
      <Button icon={Pencil} command="uploads.edit" onPress={() => setEditing(true)}>
        {t('uploads.edit')}
      </Button>
      {isEditing ? <EditIncident incident={incident} close={() => setEditing(false)} /> : null}
      {row.failed > 0 || row.failure !== undefined ? (
        <Button icon={RotateCcw} command="uploads.retry" onPress={() => orders.retry(target)}>
          {t('uploads.retry')}
        </Button>
      ) : null}
      {isOpen ? (
        <>
          <Button icon={isPaused ? Play : Pause} command="uploads.pause" onPress={turn}>
            {isPaused ? t('uploads.resume') : t('uploads.pause')}
          </Button>
          <Button icon={ArrowUpToLine} command="uploads.front" onPress={() => orders.moveToFront(target)}>
            {t('uploads.front')}
          </Button>
          <Button kind="danger" icon={X} onPress={() => setAsking(true)}>
            {t('uploads.cancel')}
          </Button>
        </>
      ) : null}
      <AskCancel isOpen={isAsking} close={() => setAsking(false)} target={target} orders={orders} />
    </div>
  );
}
