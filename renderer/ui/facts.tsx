import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { SafeName } from './safe-name.tsx';
import { AgentText } from './states.tsx';
import styles from './ui.module.css';
import type { CheckLine } from '../../shared/domain/health.ts';

type Fact = readonly [name: string, value: ReactNode];

/** A name with its value. */
export function fact(name: string, value: ReactNode): Fact {
  return [name, value];
}

/** Names and values, one below the other; unknown values are left out. */
export function Facts({
  facts,
  areForeign = false,
}: {
  readonly facts: readonly Fact[];
  /** The names come from the service, not from this app. */
  readonly areForeign?: boolean;
}): ReactNode {
  const known = facts.filter(
    ([, value]) => value !== undefined && value !== null && value !== false && value !== '',
  );
  return (
    <dl className={styles['facts']}>
      {known.map(([name, value]) => (
        <div key={name}>
          <dt>{areForeign ? <SafeName name={name} /> : name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const glyphs: Readonly<Record<CheckLine['state'], string>> = {
  ok: '✓',
  warning: '!',
  failed: '✕',
  skipped: '○',
};

/** The lines of a check, each with its result as glyph, word and colour; a failed one says what to do. */
export function CheckLines({
  label,
  lines,
  fixOf,
}: {
  readonly label: string;
  readonly lines: readonly CheckLine[];
  /** A link to where the problem can be fixed. */
  readonly fixOf?: (line: CheckLine) => ReactNode;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <ul aria-label={label} className={styles['checks']}>
      {lines.map((line) => {
        const { name, state, text, failure } = line;
        return (
          <li key={`${name} ${text}`} data-state={state}>
            <span className={styles['checkState']}>
              <span aria-hidden>{glyphs[state]}</span> {t(`check.${state}`)}
            </span>
            <strong>{t(`check.${name}`)}</strong>
            <span dir="auto" className={styles['checkText']}>
              {text}
              {failure === undefined ? null : (
                <>
                  {' '}
                  <AgentText>{failure.advice}</AgentText> <code>{failure.code}</code>
                </>
              )}{' '}
              {fixOf?.(line)}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
