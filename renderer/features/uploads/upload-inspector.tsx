import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { FolderOpen } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { mayPass } from '../../../shared/domain/failure-policy.ts';
import type { ClipDetail, ClipState } from '../../../shared/domain/upload-view.ts';
import { formatBytes, formatDuration } from '../../../shared/lib/readable-amounts.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { formatClipMoment } from '../../format/format.ts';
import { useDesktopMutation, useRead } from '../../queries/use-call.ts';
import { useCommand, useServices } from '../../stores/services.ts';
import { Button, useCopy } from '../../ui/button.tsx';
import { fact, Facts } from '../../ui/facts.tsx';
import { SafeName } from '../../ui/safe-name.tsx';
import { failureDetails, StateMark, FailurePanel, Loaded } from '../../ui/states.tsx';
import { TimeText } from '../../ui/time-text.tsx';
import { UseZone } from './change-watch.tsx';
import { ClipPlayer, ThumbnailImage } from './clip-player.tsx';
import { OriginNote, ClipFlags } from './explanation.tsx';
import { IncidentInspector } from './incident-inspector.tsx';
import { ClipProofPanel } from './proof.tsx';
import { UploadButtons, useUploadCommands } from './upload-commands.tsx';
import { UploadHistory } from './upload-history.tsx';
import styles from './uploads.module.css';

/** A clip: its state and the reason for it, the available actions, and its details. */
export function ClipInspector({ clip }: { readonly clip: ClipDetail }): ReactNode {
  const { t } = useTranslation();
  const { row } = clip;
  return (
    <div className="stack">
      <ClipPlayer key={row.id} clip={clip}>
        <ClipThumbnail clip={clip} />
      </ClipPlayer>
      <h2 className="breakable">
        <SafeName name={row.file} />
      </h2>
      <StateMark state={row.state} />
      {row.failure === undefined || row.state === 'uploaded' ? null : (
        <FailurePanel failure={row.failure} title={troubleTitle(row.state, t)} />
      )}
      {row.state === 'leftOut' ? <p>{t('uploads.leftOutText')}</p> : null}
      <ClipCommands clip={clip} />
      <ClipFlags flags={clip.flags} />
      <UseZone incidentId={row.incidentId} origins={clip.origins} />
      <ClipFacts clip={clip} />
      <ClipProofPanel key={`proof ${row.id}`} clipId={row.id} />
      <UploadHistory key={row.id} of={{ kind: 'clip', clipId: row.id }} />
      <OriginNote origins={clip.origins} />
    </div>
  );
}

/** Commands for a clip in its current state, with their keys: only those that can help are offered. */
function ClipCommands({ clip }: { readonly clip: ClipDetail }): ReactNode {
  const { t } = useTranslation();
  const { bridge, notices } = useServices();
  const { row } = clip;
  const copy = useCopy();
  const { retry } = useUploadCommands();
  const showInFolder = useDesktopMutation('revealClip', { onFailed: notices.failed });
  const reveal = bridge.desktop === undefined ? undefined : () => showInFolder.mutate({ clipId: row.id });
  const copyError = (): void => {
    if (row.failure === undefined) return;
    copy(failureDetails(row.failure));
  };
  useCommand('uploads.copyError', copyError, row.failure !== undefined);
  useCommand('uploads.reveal', () => reveal?.(), reveal !== undefined);
  return (
    <div className="buttons">
      <UploadButtons clips={[row]} />
      {row.state === 'failed' && row.failure !== undefined && !mayPass(row.failure.code) ? (
        // Only another attempt can show whether the service's limit has changed
        <Button kind="quiet" onPress={() => retry([{ kind: 'clips', clipIds: [row.id] }])}>
          {t('uploads.checkLimit')}
        </Button>
      ) : null}
      {reveal === undefined ? null : (
        <Button icon={FolderOpen} command="uploads.reveal" onPress={reveal}>
          {t('uploads.reveal')}
        </Button>
      )}
    </div>
  );
}

/** The heading of a failure; none for a failed clip, whose state says it already. */
function troubleTitle(state: ClipState, t: TFunction): string | undefined {
  if (state === 'failed') return undefined;
  return t(state === 'leftOut' ? 'uploads.leftOutTitle' : 'uploads.troubleTitle');
}

function ClipFacts({ clip }: { readonly clip: ClipDetail }): ReactNode {
  const { t } = useTranslation();
  const { row, parts } = clip;
  const media = [
    clip.format,
    clip.videoCodec,
    clip.width === undefined ? undefined : `${clip.width} × ${clip.height}`,
  ];
  return (
    <Facts
      facts={[
        fact(t('uploads.incident'), <IncidentLink incidentId={row.incidentId} />),
        fact(
          t('uploads.recorded'),
          row.startedAt === undefined ? undefined : <TimeText value={row.startedAt} both />,
        ),
        fact(
          t('uploads.ended'),
          row.endedAt === undefined ? undefined : <TimeText value={row.endedAt} both />,
        ),
        fact(t('uploads.camera'), row.camera === undefined ? undefined : <SafeName name={row.camera} />),
        fact(t('uploads.description'), clip.cameraDescription),
        fact(t('uploads.size'), <span className="ltr">{formatBytes(row.sizeBytes)}</span>),
        fact(
          t('uploads.duration'),
          clip.durationMs === undefined ? undefined : (
            <span className="ltr">{formatDuration(clip.durationMs)}</span>
          ),
        ),
        fact(t('uploads.format'), media.filter((each) => each !== undefined).join(', ')),
        fact(t('uploads.parts'), parts && t('uploads.partsDone', { done: parts.done, total: parts.total })),
        fact(t('uploads.attempts'), row.attempts === 0 ? undefined : row.attempts),
        fact(t('uploads.foundAt'), <TimeText value={clip.createdAt} both />),
        fact(
          t('uploads.uploadedAt'),
          row.uploadedAt === undefined ? undefined : <TimeText value={row.uploadedAt} both />,
        ),
        fact(t('uploads.leftOutAt'), row.leftOutAt && <TimeText value={row.leftOutAt} both />),
        fact(
          t('uploads.thumbnail'),
          clip.thumbnail?.file === undefined ? undefined : <SafeName name={clip.thumbnail.file} />,
        ),
        fact(
          t('uploads.altered'),
          clip.altered === undefined ? undefined : (
            <strong>
              {t(clip.altered.foundSha256 === undefined ? 'uploads.alteredUnknown' : 'uploads.alteredKnown')}
            </strong>
          ),
        ),
        fact(
          t('uploads.foundSha256'),
          clip.altered === undefined || clip.foundSha256 === undefined ? undefined : (
            <code className="ltr">{clip.foundSha256}</code>
          ),
        ),
        fact(
          t('uploads.storageKey'),
          clip.storageKey === undefined ? undefined : <code className="ltr">{clip.storageKey}</code>,
        ),
        fact(t('uploads.id'), <code className="ltr">{row.id}</code>),
        fact(t('uploads.generation'), clip.generation === 1 ? undefined : clip.generation),
      ]}
    />
  );
}

/** A link to a clip's incident, labelled with its title. */
function IncidentLink({ incidentId }: { readonly incidentId: string }): ReactNode {
  const { data } = useRead('uploads.getIncident', { incidentId });
  if (data === undefined || data.row.id !== incidentId) return null;
  return (
    <Link
      to="/uploads"
      search={(before: Record<string, unknown>) => ({ ...before, incident: incidentId, clip: undefined })}
    >
      <SafeName name={data.row.title} />
    </Link>
  );
}

/**
 * The thumbnail of a clip, with a note if it is not from the export; or a placeholder with its camera, and the reason.
 */
function ClipThumbnail({ clip }: { readonly clip: ClipDetail }): ReactNode {
  const { t } = useTranslation();
  const hasThumbnail = clip.thumbnail !== undefined;
  const { data } = useRead('uploads.getThumbnail', { clipId: clip.row.id }, { isEnabled: hasThumbnail });
  const camera = visibleName(clip.row.camera ?? clip.row.file);
  return (
    <figure className={styles['figure']}>
      <div className={styles['thumbnail']}>
        {hasThumbnail && data !== undefined ? (
          <ThumbnailImage image={data} name={t('uploads.pictureOf', { name: camera })} />
        ) : (
          <SafeName name={clip.row.camera ?? clip.row.file} />
        )}
      </div>
      <ThumbnailNote clip={clip} />
    </figure>
  );
}

/** Says that a thumbnail was generated, so that nobody takes it for evidence, or why there will be none. */
function ThumbnailNote({ clip }: { readonly clip: ClipDetail }): ReactNode {
  const { t } = useTranslation();
  const made = clip.thumbnail?.made;
  if (made !== undefined)
    return <figcaption>{t('uploads.madeAt', { at: formatClipMoment(made.atMs) })}</figcaption>;
  if (clip.noPicture === undefined) return null;
  return <figcaption>{t('uploads.noPicture', { reason: clip.noPicture.message })}</figcaption>;
}

/** Details of the selected clip or, without one, of the selected incident. */
export const UploadInspector = memo(function UploadInspector({
  clipId,
  incidentId,
}: {
  readonly clipId: string | undefined;
  readonly incidentId: string | undefined;
}): ReactNode {
  if (clipId !== undefined) return <OfClip key={clipId} clipId={clipId} />;
  if (incidentId !== undefined) return <OfIncident key={incidentId} incidentId={incidentId} />;
  return null;
});

function OfClip({ clipId }: { readonly clipId: string }): ReactNode {
  const clip = useRead('uploads.getClip', { clipId });
  return <Loaded read={clip}>{(data) => <ClipInspector clip={data} />}</Loaded>;
}

function OfIncident({ incidentId }: { readonly incidentId: string }): ReactNode {
  const incident = useRead('uploads.getIncident', { incidentId });
  return <Loaded read={incident}>{(data) => <IncidentInspector incident={data} />}</Loaded>;
}
