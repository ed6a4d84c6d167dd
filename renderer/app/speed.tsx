import { lazy, Suspense, type ReactNode } from 'react';
import { Button, Dialog, DialogTrigger, Popover } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import { formatSpeed } from '../../shared/lib/bytes.ts';
import { useRead } from '../queries/use-call.ts';
import { useCalmProgress } from '../stores/use-now.ts';
import overlay from '../ui/overlay.module.css';
import styles from './app.module.css';

/** How fast it goes, of which limit; only these words are drawn anew while bytes move. The curve comes when it is asked for. */
export function Speed(): ReactNode {
  const { t } = useTranslation();
  const { data: view } = useRead('settings.get', {});
  const speed = useCalmProgress((progress) => formatSpeed(progress.bytesPerSecond));
  const limit = view?.settings.upload.maxBytesPerSecond ?? null;
  if (speed === nothing && limit === null) return null;
  return (
    <DialogTrigger>
      <Button className={styles['stripButton'] ?? ''} data-kind="quiet">
        ▲{' '}
        {limit === null
          ? t('frame.speed', { speed })
          : t('frame.speedOfLimit', { speed, limit: formatSpeed(limit) })}
      </Button>
      <Popover className={overlay['popover'] ?? ''} placement="top">
        <Dialog aria-label={t('frame.speedGraph')} className={styles['speed'] ?? ''}>
          <SpeedGraph />
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}

const SECONDS = 300;

const SpeedPlot = lazy(async () => {
  const { SpeedPlot: plot } = await import('./speed-plot.tsx');
  return { default: plot };
});

/** The speed of the last minutes as a curve, and in words for those who do not see it. */
function SpeedGraph(): ReactNode {
  const { t } = useTranslation();
  const history = useCalmProgress((progress) => progress.history);
  const average = history.reduce((sum, speed) => sum + speed, 0) / Math.max(1, history.length);
  return (
    <figure>
      <Suspense fallback={<div className={styles['plot']} />}>
        <SpeedPlot history={history} seconds={SECONDS} />
      </Suspense>
      <figcaption>
        {t('frame.speedGraph')}
        {': '}
        {t('frame.speedText', {
          now: formatSpeed(history.at(-1) ?? 0),
          average: formatSpeed(average),
          highest: formatSpeed(Math.max(0, ...history)),
        })}
      </figcaption>
    </figure>
  );
}

const nothing = formatSpeed(0);
