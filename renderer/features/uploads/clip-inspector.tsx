import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ClipDetail } from '../../../shared/domain/upload-view.ts';
import { formatBytes } from '../../../shared/lib/bytes.ts';
import { formatDuration } from '../../../shared/lib/duration.ts';
import { fact, Facts } from '../../ui/facts.tsx';
import { SafeName } from '../../ui/safe-name.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import { FailurePanel } from '../../ui/states.tsx';
import { TimeText } from '../../ui/time-text.tsx';
import { ClipPicture } from './clip-picture.tsx';
import { ClipOrders } from './clip-orders.tsx';
import { UploadHistory } from './history/upload-history.tsx';
import { Origins } from './origins.tsx';

/** One clip: how it stands and why, what can be done, and all that is known of it. */
export function ClipInspector({ clip }: { readonly clip: ClipDetail }): ReactNode {
  const { t } = useTranslation();
  const { row } = clip;
  return (
    <div className="stack">
      <ClipPicture clip={clip} />
      <h2 className="breakable">
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
      <UploadHistory key={row.id} of={{ kind: 'clip', clipId: row.id }} />
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
        fact(
          t('uploads.recorded'),
          row.startedAt === undefined ? undefined : <TimeText value={row.startedAt} both />,
        ),
        fact(t('uploads.ended'), row.endedAt === undefined ? undefined : <TimeText value={row.endedAt} />),
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
        fact(t('uploads.foundAt'), <TimeText value={clip.createdAt} />),
        fact(
          t('uploads.uploadedAt'),
          row.uploadedAt === undefined ? undefined : <TimeText value={row.uploadedAt} />,
        ),
        fact(
          t('uploads.thumbnail'),
          clip.thumbnail?.file === undefined ? undefined : <SafeName name={clip.thumbnail.file} />,
        ),
        fact(
          t('uploads.sha256'),
          clip.sha256 === undefined ? undefined : <code className="ltr">{clip.sha256}</code>,
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
