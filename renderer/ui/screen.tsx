import type { ReactNode } from 'react';
import styles from './screen.module.css';

/**
 * A screen: its bar, its work area, and an inspector when something is chosen. In a narrow window they stand one below
 * the other and scroll together; a `page` then takes all the height that it needs, a list keeps its own scrolling.
 */
export function Screen({
  title,
  filters,
  actions,
  inspector,
  inspectorLabel,
  work = 'list',
  children,
}: {
  readonly title: string;
  readonly filters?: ReactNode;
  readonly actions?: ReactNode;
  readonly inspector?: ReactNode;
  readonly inspectorLabel?: string;
  readonly work?: 'list' | 'page';
  readonly children: ReactNode;
}): ReactNode {
  return (
    <div className={styles['screen']} data-inspector={inspector === undefined ? undefined : true}>
      <header className={styles['bar']}>
        <h1>{title}</h1>
        <div className={styles['filters']}>{filters}</div>
        <div className={styles['actions']}>{actions}</div>
      </header>
      <main className={styles['work']} data-kind={work}>
        {children}
      </main>
      {inspector === undefined ? null : (
        <aside className={styles['inspector']} aria-label={inspectorLabel}>
          {inspector}
        </aside>
      )}
    </div>
  );
}
