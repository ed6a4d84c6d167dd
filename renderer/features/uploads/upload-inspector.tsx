import { memo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../queries/use-call.ts';
import { EmptyState, FailurePanel, LoadingState } from '../../ui/states.tsx';
import { ClipInspector } from './clip-inspector.tsx';
import { IncidentInspector } from './incident-inspector.tsx';

/** Everything about the chosen clip, else about the chosen incident. */
export const UploadInspector = memo(function UploadInspector({
  clipId,
  incidentId,
}: {
  readonly clipId: string | undefined;
  readonly incidentId: string | undefined;
}): ReactNode {
  const { t } = useTranslation();
  if (clipId !== undefined) return <OfClip clipId={clipId} />;
  if (incidentId !== undefined) return <OfIncident incidentId={incidentId} />;
  return <EmptyState title={t('uploads.inspector')}>{t('uploads.nothingChosen')}</EmptyState>;
});

function OfClip({ clipId }: { readonly clipId: string }): ReactNode {
  const { data, error, refetch } = useRead('uploads.getClip', { clipId });
  if (error !== null) return <FailurePanel failure={error.failure} onRetry={() => void refetch()} />;
  return data === undefined ? <LoadingState /> : <ClipInspector clip={data} />;
}

function OfIncident({ incidentId }: { readonly incidentId: string }): ReactNode {
  const { data, error, refetch } = useRead('uploads.getIncident', { incidentId });
  if (error !== null) return <FailurePanel failure={error.failure} onRetry={() => void refetch()} />;
  return data === undefined ? <LoadingState /> : <IncidentInspector incident={data} />;
}
