import 'uplot/dist/uPlot.min.css';
import { useEffect, useRef, type ReactNode, useSyncExternalStore } from 'react';
import UPlot from 'uplot';
import styles from './app.module.css';

const HEIGHT_PX = 64;

interface SpeedPlotProps {
  /** Bytes per second, one a second, the latest last. */
  readonly history: readonly number[];
  /** How many of them the plot is wide. */
  readonly seconds: number;
}

/** The curve alone. Loaded when there is one: the plotting library is no small part of the pages. */
export function SpeedPlot({ history, seconds }: SpeedPlotProps): ReactNode {
  const theme = useShownTheme();
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot | undefined>(undefined);
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    plot.current = new UPlot(plotOptions(element, seconds), [[], []], element);
    const resize = new ResizeObserver(() =>
      plot.current?.setSize({ width: element.clientWidth, height: HEIGHT_PX }),
    );
    resize.observe(element);
    return () => {
      resize.disconnect();
      plot.current?.destroy();
      plot.current = undefined;
    };
  }, [seconds, theme]);
  useEffect(() => {
    const from = seconds - history.length;
    plot.current?.setData([history.map((_, index) => from + index), [...history]]);
  }, [history, seconds, theme]);
  return <div ref={box} className={styles['plot']} aria-hidden />;
}

function plotOptions(element: HTMLElement, seconds: number): UPlot.Options {
  const color = getComputedStyle(element).getPropertyValue('--active');
  return {
    width: element.clientWidth,
    height: HEIGHT_PX,
    legend: { show: false },
    cursor: { show: false },
    axes: [{ show: false }, { show: false }],
    scales: {
      x: { time: false, range: [0, seconds] },
      y: { range: (_, __, highest) => [0, Math.max(1, highest)] },
    },
    series: [{}, { stroke: color, width: 1.5, fill: `color-mix(in srgb, ${color} 18%, transparent)` }],
  };
}

/** The theme that the document shows, whoever chose it: for what is drawn with colours that were read from the styles. */
function useShownTheme(): string | undefined {
  return useSyncExternalStore(subscribe, () => document.documentElement.dataset['theme']);
}

function subscribe(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => observer.disconnect();
}
