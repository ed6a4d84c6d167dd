import type { ReactNode } from 'react';
import styles from './screen.module.css';

/** A screen: its bar, its work area, and an inspector when something is chosen. */
export function Screen({
  title,
  filters,
  actions,
  inspector,
  inspectorLabel,
  children,
}: {
  readonly title: string;
  readonly filters?: ReactNode;
  readonly actions?: ReactNode;
  readonly inspector?: ReactNode;
  readonly inspectorLabel?: string;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <div className={styles['screen']} data-inspector={inspector === undefined ? undefined : true}>
      <header className={styles['bar']}>
        <h1>{title}</h1>
        <div className={styles['filters']}>{filters}</div>
        <div className={styles['actions']}>{actions}</div>
      </header>
      <main className={styles['work']}>{children}</main>
      {inspector === undefined ? null : (
        <aside className={styles['inspector']} aria-label={inspectorLabel}>
          {inspector}
        </aside>
      )}
    </div>
  );
}
