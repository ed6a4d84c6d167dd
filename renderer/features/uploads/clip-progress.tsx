import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ClipRowView } from '../../../shared/domain/upload-view.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { formatShare } from '../../format/numbers.ts';
import { useLocale, useProgress } from '../../stores/services.ts';
import { ProgressBar } from '../../ui/progress-bar.tsx';

/** Steps of a bar: smaller ones are narrower than a pixel, and each costs a frame. */
const STEPS = 200;

/** How far a clip is, or why not. Only this cell is drawn anew while bytes move. */
export function ClipProgress({ clip }: { readonly clip: ClipRowView }): ReactNode {
  const { t } = useTranslation();
  const locale = useLocale();
  const { state, failure, file, sizeBytes } = clip;
  if (state === 'uploaded') return <span className="dim ltr">{formatShare(1, locale)}</span>;
  if (failure !== undefined && state !== 'uploading')
    return (
      <span lang="en" dir="auto" title={`${failure.message} ${failure.advice}`}>
        {failure.message}
      </span>
    );
  if (state !== 'uploading' && clip.bytesSent === 0) return null;
  return (
    <LiveBar clip={clip} label={t('uploads.progressOf', { file: visibleName(file) })} sizeBytes={sizeBytes} />
  );
}

function LiveBar({
  clip,
  label,
  sizeBytes,
}: {
  readonly clip: ClipRowView;
  readonly label: string;
  readonly sizeBytes: number;
}): ReactNode {
  const share = useProgress((progress) => {
    const sent = Math.max(clip.bytesSent, progress.sentByClip.get(clip.id) ?? 0);
    return sizeBytes === 0 ? 0 : Math.min(Math.floor((sent / sizeBytes) * STEPS) / STEPS, 0.99);
  });
  return <ProgressBar label={label} share={share} />;
}
