import { lazy, Suspense, useState, type ReactNode } from 'react';
import { Button } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import { formatSpeed } from '../../shared/lib/bytes.ts';
import { useRead } from '../queries/use-call.ts';
import { useCalmProgress } from '../stores/use-now.ts';
import { Button as CloseButton } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import styles from './app.module.css';

/** How fast it goes, of which limit; only these words are drawn anew while bytes move. The curve comes when it is asked for. */
export function Speed(): ReactNode {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const { data: view } = useRead('settings.get', {});
  const speed = useCalmProgress((progress) => formatSpeed(progress.bytesPerSecond));
  const { data: health } = useRead('health.get', {});
  const line = health?.line;
  const usual = view?.settings.upload.maxBytesPerSecond ?? null;
  const scheduled = typeof line?.limit === 'number' ? line.limit : null;
  const limit = line === undefined ? usual : scheduled;
  if (speed === nothing && limit === null) return null;
  return (
    <>
      <Button className={styles['stripButton'] ?? ''} data-kind="quiet" onPress={() => setOpen(true)}>
        ▲{' '}
        {limit === null
          ? t('frame.speed', { speed })
          : t('frame.speedOfLimit', { speed, limit: formatSpeed(limit) })}
      </Button>
      <Dialog
        title={t('frame.speedGraph')}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        actions={<CloseButton onPress={() => setOpen(false)}>{t('common.close')}</CloseButton>}
      >
        <SpeedGraph />
      </Dialog>
    </>
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
