import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ClipState, IncidentState } from '../../shared/domain/upload-view.ts';
import type { SeenState } from '../../shared/domain/seen-export.ts';
import { formatShare } from '../format/numbers.ts';
import { useLocale } from '../stores/services.ts';
import styles from './ui.module.css';

type State = ClipState | IncidentState | SeenState;

const glyphs: Readonly<Record<State, string>> = {
  waiting: '○',
  uploading: '▲',
  paused: '❚❚',
  uploaded: '✓',
  sent: '✓',
  failed: '✕',
  attention: '✕',
  held: '!',
  unrecognised: '!',
  missing: '!',
  onHold: '❚❚',
  ignored: '○',
  reading: '▽',
  writing: '▽',
  settling: '○',
  copy: '○',
};

/** How a clip, an incident or an export stands: glyph, word and colour. What is sent is quiet; colour is for what is abnormal. */
export function StateMark({ state }: { readonly state: State }): ReactNode {
  const { t } = useTranslation();
  return (
    <span className={styles['mark']} data-state={state}>
      <span aria-hidden className={styles['glyph']}>
        {glyphs[state]}
      </span>
      {t(`state.${state}`)}
    </span>
  );
}

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
