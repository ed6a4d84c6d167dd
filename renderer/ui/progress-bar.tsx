import type { ReactNode } from 'react';
import { formatShare } from '../format/numbers.ts';
import { useLocale } from '../stores/services.ts';
import styles from './ui.module.css';

/** How much of a whole is done, as a bar and in per cent. */
export function ProgressBar({ label, share }: { readonly label: string; readonly share: number }): ReactNode {
  const locale = useLocale();
  const bounded = Math.min(1, Math.max(0, share));
  return (
    <span className={styles['progress']}>
      <span
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.floor(bounded * 100)}
        className={styles['track']}
      >
        <span className={styles['done']} style={{ inlineSize: `${bounded * 100}%` }} />
      </span>
      <span className={`${styles['percent'] ?? ''} ltr`}>{formatShare(bounded, locale)}</span>
    </span>
  );
}
