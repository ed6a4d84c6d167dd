import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ClipState, IncidentState } from '../../shared/domain/upload-view.ts';
import styles from './ui.module.css';

type State = ClipState | IncidentState;

const glyphs: Readonly<Record<State, string>> = {
  waiting: '○',
  uploading: '▲',
  paused: '❚❚',
  uploaded: '✓',
  sent: '✓',
  failed: '✕',
  attention: '✕',
};

/** How a clip or an incident stands: glyph, word and colour. What is sent is quiet; colour is for what is abnormal. */
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
