import { X } from 'lucide-react';
import type { CSSProperties, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useCommand } from '../stores/services.ts';
import { Button } from './button.tsx';
import styles from './screen.module.css';
import { Splitter, useDetailsWidth } from './splitter.tsx';

declare module 'react' {
  interface CSSProperties {
    readonly '--inspector'?: string;
  }
}

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
  onCloseInspector,
  work = 'list',
  children,
}: {
  readonly title: string;
  readonly filters?: ReactNode;
  readonly actions?: ReactNode;
  readonly inspector?: ReactNode;
  readonly inspectorLabel?: string;
  /** Lets nothing be chosen any more; where there is little room the details then lie over the work. */
  readonly onCloseInspector?: () => void;
  readonly work?: 'list' | 'page';
  readonly children: ReactNode;
}): ReactNode {
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
      <main className={styles['work']} data-kind={work}>
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
