import { useRef, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { usePreference, useServices } from '../stores/services.ts';
import styles from './screen.module.css';

/** Widths of the details, pixels. */
const LEAST_PX = 260;
const MOST_PX = 760;
const USUAL_PX = 316;
const STEP_PX = 16;

const bounded = (widthPx: number): number => Math.round(Math.min(Math.max(widthPx, LEAST_PX), MOST_PX));

/** How wide the details are. */
export function useDetailsWidth(): number {
  return usePreference((kept) => kept.detailsPx) ?? USUAL_PX;
}

/** The edge between the work and the details: dragged, or moved with the arrow keys; Enter takes it back to where it was. */
export function Splitter(): ReactNode {
  const { t } = useTranslation();
  const { preferences } = useServices();
  const widthPx = useDetailsWidth();
  const drag = useRef<{ readonly fromX: number; readonly widthPx: number }>(undefined);
  const set = (next: number): void => preferences.getState().set({ detailsPx: bounded(next) });
  // The details stand at the end of the line: to the left of it where the page runs from right to left
  const sign = (element: Element): number => (getComputedStyle(element).direction === 'rtl' ? 1 : -1);
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step !== undefined) set(widthPx + step * sign(event.currentTarget) * STEP_PX);
    else if (event.key === 'Home') set(LEAST_PX);
    else if (event.key === 'End') set(MOST_PX);
    else if (event.key === 'Enter') preferences.getState().set({ detailsPx: undefined });
    else return;
    event.preventDefault();
  };
  const begin = (event: PointerEvent<HTMLDivElement>): void => {
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { fromX: event.clientX, widthPx };
  };
  return (
    // A separator that has a value is a control (ARIA 1.2)
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={t('common.detailsEdge')}
      aria-valuenow={widthPx}
      aria-valuemin={LEAST_PX}
      aria-valuemax={MOST_PX}
      tabIndex={0}
      className={styles['splitter']}
      onKeyDown={onKeyDown}
      onPointerDown={begin}
      onPointerMove={({ clientX, currentTarget }) => {
        const { current } = drag;
        if (current !== undefined) set(current.widthPx + (clientX - current.fromX) * sign(currentTarget));
      }}
      onLostPointerCapture={() => (drag.current = undefined)}
    />
  );
}
