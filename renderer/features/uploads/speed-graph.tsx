import 'uplot/dist/uPlot.min.css';
import { useEffect, useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import UPlot from 'uplot';
import { formatSpeed } from '../../../shared/lib/bytes.ts';
import { useProgress } from '../../stores/services.ts';
import { useShownTheme } from '../../ui/use-shown-theme.ts';
import styles from './speed-graph.module.css';

const HEIGHT_PX = 64;
const SECONDS = 300;

/** The speed of the last minutes as a curve, and in words for those who do not see it. */
export function SpeedGraph(): ReactNode {
  const { t } = useTranslation();
  const history = useProgress((progress) => progress.history);
  const theme = useShownTheme();
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot | undefined>(undefined);
  const isEmpty = history.length < 2;
  useEffect(() => {
    const element = box.current;
    if (element === null || isEmpty) return undefined;
    plot.current = new UPlot(plotOptions(element), [[], []], element);
    const resize = new ResizeObserver(() =>
      plot.current?.setSize({ width: element.clientWidth, height: HEIGHT_PX }),
    );
    resize.observe(element);
    return () => {
      resize.disconnect();
      plot.current?.destroy();
      plot.current = undefined;
    };
  }, [isEmpty, theme]);
  useEffect(() => {
    const from = SECONDS - history.length;
    plot.current?.setData([history.map((_, index) => from + index), [...history]]);
  }, [history, isEmpty, theme]);
  if (isEmpty) return null;
  const mean = history.reduce((sum, speed) => sum + speed, 0) / history.length;
  return (
    <figure className={styles['graph']}>
      <div ref={box} className={styles['plot']} aria-hidden />
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
}

function plotOptions(element: HTMLElement): UPlot.Options {
  const color = getComputedStyle(element).getPropertyValue('--active');
  return {
    width: element.clientWidth,
    height: HEIGHT_PX,
    legend: { show: false },
    cursor: { show: false },
    axes: [{ show: false }, { show: false }],
    scales: {
      x: { time: false, range: [0, SECONDS] },
      y: { range: (_, __, highest) => [0, Math.max(1, highest)] },
    },
    series: [{}, { stroke: color, width: 1.5, fill: `color-mix(in srgb, ${color} 18%, transparent)` }],
  };
}
