import { lazy, memo, Suspense, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatSpeed } from '../../../shared/lib/bytes.ts';
import { useCalmProgress } from '../../stores/use-now.ts';
import styles from './uploads.module.css';

const SECONDS = 300;
const SpeedPlot = lazy(async () => {
  const { SpeedPlot: plot } = await import('./speed-plot.tsx');
  return { default: plot };
});

/** The speed of the last minutes as a curve, and in words for those who do not see it. */
export const SpeedGraph = memo(function SpeedGraph(): ReactNode {
  const { t } = useTranslation();
  const history = useCalmProgress((progress) => progress.history);
  if (history.length < 2) return null;
  const mean = history.reduce((sum, speed) => sum + speed, 0) / history.length;
  return (
    <figure className={styles['graph']}>
      <Suspense fallback={<div className={styles['plot']} />}>
        <SpeedPlot history={history} seconds={SECONDS} />
      </Suspense>
      <figcaption>
        {t('uploads.speedGraph')}
        {': '}
        {t('uploads.speedText', {
          now: formatSpeed(history.at(-1) ?? 0),
          mean: formatSpeed(mean),
          highest: formatSpeed(Math.max(...history)),
        })}
      </figcaption>
    </figure>
  );
});
