import { memo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatSpeed } from '../../../shared/lib/bytes.ts';
import { useProgress } from '../../stores/services.ts';
import { speedCurve } from './speed-curve.ts';
import styles from './speed-graph.module.css';

const SECONDS = 300;
const HEIGHT = 64;

/** The speed of the last minutes as a curve, and in words for those who do not see it. */
export const SpeedGraph = memo(function SpeedGraph(): ReactNode {
  const { t } = useTranslation();
  const history = useProgress((progress) => progress.history);
  if (history.length < 2) return null;
  const mean = history.reduce((sum, speed) => sum + speed, 0) / history.length;
  const curve = speedCurve(history, { seconds: SECONDS, height: HEIGHT });
  return (
    <figure className={styles['graph']}>
      <svg
        viewBox={`0 0 ${SECONDS} ${HEIGHT}`}
        preserveAspectRatio="none"
        className={styles['plot']}
        aria-hidden
      >
        <path className={styles['ground']} d={`${curve}V${HEIGHT}H${SECONDS - history.length}Z`} />
        <path className={styles['line']} d={curve} />
      </svg>
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
