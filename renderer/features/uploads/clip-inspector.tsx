import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ClipDetail } from '../../../shared/domain/upload-view.ts';
import { formatBytes } from '../../../shared/lib/bytes.ts';
import { formatDuration } from '../../../shared/lib/duration.ts';
import { Facts } from '../../ui/facts.tsx';
import { SafeName } from '../../ui/safe-name.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import { FailurePanel } from '../../ui/states.tsx';
import { TimeText } from '../../ui/time-text.tsx';
import { ClipOrders } from './clip-orders.tsx';
import { Origins } from './origins.tsx';
import styles from './uploads.module.css';

/** One clip: how it stands and why, what can be done, and all that is known of it. */
export function ClipInspector({ clip }: { readonly clip: ClipDetail }): ReactNode {
  const { t } = useTranslation();
  const { row } = clip;
  return (
    <div className={styles['inspector']}>
      <h2 className={styles['name']}>
        <SafeName name={row.file} />
      </h2>
      <StateMark state={row.state} />
      {row.failure === undefined || row.state === 'uploaded' ? null : (
        <FailurePanel
          failure={row.failure}
          title={row.state === 'failed' ? t('uploads.failedTitle') : t('uploads.troubleTitle')}
        />
      )}
      <ClipOrders clip={clip} />
      <ClipFacts clip={clip} />
      <Origins origins={clip.origins} />
    </div>
  );
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
        [
          t('uploads.recorded'),
          row.startedAt === undefined ? undefined : <TimeText value={row.startedAt} both />,
        ],
        [t('uploads.ended'), row.endedAt === undefined ? undefined : <TimeText value={row.endedAt} />],
        [t('uploads.camera'), row.camera === undefined ? undefined : <SafeName name={row.camera} />],
        [t('uploads.description'), clip.cameraDescription],
        [t('uploads.size'), formatBytes(row.sizeBytes)],
        [t('uploads.duration'), clip.durationMs === undefined ? undefined : formatDuration(clip.durationMs)],
        [t('uploads.format'), media.filter((each) => each !== undefined).join(', ')],
        [t('uploads.parts'), parts && t('uploads.partsDone', { done: parts.done, total: parts.total })],
        [t('uploads.attempts'), row.attempts === 0 ? undefined : row.attempts],
        [t('uploads.foundAt'), <TimeText key="found" value={clip.createdAt} />],
        [
          t('uploads.uploadedAt'),
          row.uploadedAt === undefined ? undefined : <TimeText value={row.uploadedAt} />,
        ],
        [
          t('uploads.thumbnail'),
          clip.thumbnail === undefined ? undefined : <SafeName name={clip.thumbnail.file} />,
        ],
        [
          t('uploads.sha256'),
          clip.sha256 === undefined ? undefined : <code className="ltr">{clip.sha256}</code>,
        ],
        [
          t('uploads.storageKey'),
          clip.storageKey === undefined ? undefined : <code className="ltr">{clip.storageKey}</code>,
        ],
        [
          t('uploads.id'),
          <code key="id" className="ltr">
            {row.id}
          </code>,
        ],
        [t('uploads.generation'), clip.generation === 1 ? undefined : clip.generation],
      ]}
    />
  );
}
