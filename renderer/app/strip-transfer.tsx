import type { ReactNode } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import type { Health } from '../../shared/domain/health.ts';
import { formatSpeed } from '../../shared/lib/bytes.ts';
import { formatDuration } from '../../shared/lib/duration.ts';
import { useRead } from '../queries/use-call.ts';
import { useProgress } from '../stores/services.ts';
import { useCalmProgress } from '../stores/use-now.ts';
import { TimeText } from '../ui/time-text.tsx';

/** How fast it goes, of which limit, what is left and when the last clip went out. */
export function Transfer({ health }: { readonly health: Health }): ReactNode {
  const { t } = useTranslation();
  const active = useProgress((progress) => progress.sentByClip.size);
  const { waiting, lastUploadedAt } = health.queue;
  return (
    <>
      {health.isPaused ? <strong>❚❚ {t('frame.pausedAll')}</strong> : null}
      <Speed />
      <span>
        {t('frame.active', { count: active })} ·{' '}
        {t('frame.waiting', { count: Math.max(0, waiting - active) })}
        <TimeLeft />
      </span>
      <LastSuccess at={lastUploadedAt} />
    </>
  );
}

/** Only these words are drawn anew while bytes move. */
function Speed(): ReactNode {
  const { t } = useTranslation();
  const { data: view } = useRead('settings.get', {});
  const speed = useCalmProgress((progress) => formatSpeed(progress.bytesPerSecond));
  const limit = view?.settings.upload.maxBytesPerSecond ?? null;
  if (speed === nothing && limit === null) return null;
  return (
    <span>
      ▲{' '}
      {limit === null
        ? t('frame.speed', { speed })
        : t('frame.speedOfLimit', { speed, limit: formatSpeed(limit) })}
    </span>
  );
}

const nothing = formatSpeed(0);

function TimeLeft(): ReactNode {
  const { t } = useTranslation();
  const time = useCalmProgress(({ bytesPerSecond, bytesTotal, bytesDone }) =>
    bytesPerSecond > 0 && bytesTotal > bytesDone
      ? formatDuration(((bytesTotal - bytesDone) / bytesPerSecond) * 1000)
      : '',
  );
  return time === '' ? null : ` · ${t('frame.timeLeft', { time })}`;
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
