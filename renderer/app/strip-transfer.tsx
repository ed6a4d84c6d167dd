import type { ReactNode } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import type { Health } from '../../shared/domain/health.ts';
import { formatSpeed } from '../../shared/lib/bytes.ts';
import { formatDuration } from '../../shared/lib/duration.ts';
import { useRead } from '../queries/use-call.ts';
import { useProgress } from '../stores/services.ts';
import { TimeText } from '../ui/time-text.tsx';

/** How fast it goes, of which limit, what is left and when the last clip went out. */
export function Transfer({ health }: { readonly health: Health }): ReactNode {
  const { t } = useTranslation();
  const { data: view } = useRead('settings.get', {});
  const speed = useProgress((progress) => progress.bytesPerSecond);
  const active = useProgress((progress) => progress.sentByClip.size);
  const leftBytes = useProgress((progress) => Math.max(0, progress.bytesTotal - progress.bytesDone));
  const limit = view?.settings.upload.maxBytesPerSecond ?? null;
  const { waiting, lastUploadedAt } = health.queue;
  const shownSpeed = formatSpeed(speed);
  return (
    <>
      {health.isPaused ? <strong>❚❚ {t('frame.pausedAll')}</strong> : null}
      {speed === 0 && limit === null ? null : (
        <span>
          ▲{' '}
          {limit === null
            ? t('frame.speed', { speed: shownSpeed })
            : t('frame.speedOfLimit', { speed: shownSpeed, limit: formatSpeed(limit) })}
        </span>
      )}
      <span>
        {t('frame.active', { count: active })} ·{' '}
        {t('frame.waiting', { count: Math.max(0, waiting - active) })}
        {speed > 0 && leftBytes > 0
          ? ` · ${t('frame.timeLeft', { time: formatDuration((leftBytes / speed) * 1000) })}`
          : ''}
      </span>
      <LastSuccess at={lastUploadedAt} />
    </>
  );
}

function LastSuccess({ at }: { readonly at: string | undefined }): ReactNode {
  const { t } = useTranslation();
  if (at === undefined) return <span>{t('frame.noSuccess')}</span>;
  return (
    <span>
      <Trans i18nKey="frame.lastSuccess" components={{ time: <TimeText value={at} /> }} />
    </span>
  );
}
