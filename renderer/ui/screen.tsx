import { X } from 'lucide-react';
import { type CSSProperties, type ReactNode, useRef, type KeyboardEvent, type PointerEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useCommand, usePreference, useServices } from '../stores/services.ts';
import { Button } from './button.tsx';
import { useFocusKept } from './dialog.tsx';
import styles from './screen.module.css';

declare module 'react' {
  interface CSSProperties {
    readonly '--inspector'?: string;
  }
}

/**
 * A screen: its bar, its work area, and an inspector when something is selected. In a narrow window they are stacked
 * and scroll together; a `page` then takes the height it needs, a list keeps its own scrolling.
 */
export function Screen({
  title,
  filters,
  actions,
  inspector,
  inspectorLabel,
  onCloseInspector,
  work = 'list',
  children,
}: {
  readonly title: string;
  readonly filters?: ReactNode;
  readonly actions?: ReactNode;
  readonly inspector?: ReactNode;
  readonly inspectorLabel?: string;
  /** Clears the selection; with it, the details cover the work area where space is short. */
  readonly onCloseInspector?: () => void;
  readonly work?: 'list' | 'page';
  readonly children: ReactNode;
}): ReactNode {
  const main = useFocusKept<HTMLElement>(inspector === undefined);
  const width: CSSProperties = { '--inspector': `${useDetailsWidth()}px` };
  return (
    <div
      className={styles['screen']}
      style={width}
      data-inspector={inspector === undefined ? undefined : true}
      data-drawer={onCloseInspector === undefined ? undefined : true}
    >
      <header className={styles['bar']}>
        <h1>{title}</h1>
        <div className={styles['filters']}>{filters}</div>
        <div className={styles['actions']}>{actions}</div>
      </header>
      <main ref={main} className={styles['work']} data-kind={work}>
        {children}
      </main>
      {inspector === undefined ? null : (
        <aside className={styles['inspector']} aria-label={inspectorLabel}>
          <Splitter />
          {onCloseInspector === undefined ? null : <CloseDetails close={onCloseInspector} />}
          <div className={styles['details']}>{inspector}</div>
        </aside>
      )}
    </div>
  );
}

function CloseDetails({ close }: { readonly close: () => void }): ReactNode {
  const { t } = useTranslation();
  useCommand('view.closeDetails', close);
  return (
    <span className={styles['close']}>
      <Button kind="quiet" icon={X} aria-label={t('common.closeDetails')} onPress={close} />
    </span>
  );
}

/** Widths of the details panel, pixels. */
const LEAST_PX = 260;
const MOST_PX = 760;
const USUAL_PX = 308;
const STEP_PX = 16;

const bounded = (widthPx: number): number => Math.round(Math.min(Math.max(widthPx, LEAST_PX), MOST_PX));

/** Width of the details panel: it scales with the text size until the user sets it. */
function useDetailsWidth(): number {
  return usePreference(({ detailsPx, textSize }) => detailsPx ?? Math.round((USUAL_PX * textSize) / 100));
}

/** The edge between work area and details: dragged, or moved with the arrow keys; Enter resets it. */
function Splitter(): ReactNode {
  const { t } = useTranslation();
  const { preferences } = useServices();
  const widthPx = useDetailsWidth();
  const drag = useRef<{ readonly fromX: number; readonly widthPx: number }>(undefined);
  const set = (next: number): void => preferences.getState().set({ detailsPx: bounded(next) });
  // The details are at the end of the line: on the left in right-to-left languages
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
    // A separator with a value is a control (ARIA 1.2)
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
