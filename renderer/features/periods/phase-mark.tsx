import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Phase } from './order-periods.ts';
import styles from './periods.module.css';

const looks = {
  now: { glyph: '●', word: 'periods.phaseNow' },
  coming: { glyph: '▷', word: 'periods.phaseComing' },
  past: { glyph: '◌', word: 'periods.phasePast' },
  undated: { glyph: '?', word: 'periods.phaseUndated' },
} as const satisfies Readonly<Record<Phase, unknown>>;

/** How a period stands to now: glyph, word and colour. */
export function PhaseMark({ phase }: { readonly phase: Phase }): ReactNode {
  const { t } = useTranslation();
  return (
    <span className={styles['mark']} data-phase={phase}>
      <span aria-hidden>{looks[phase].glyph}</span> {t(looks[phase].word)}
    </span>
  );
}
