import type { ReactNode } from 'react';
import styles from './facts.module.css';

/** Names and values, one below the other; values that are not known are left out. */
export function Facts({
  facts,
}: {
  readonly facts: readonly (readonly [name: string, value: ReactNode])[];
}): ReactNode {
  const known = facts.filter(([, value]) => value !== undefined && value !== null && value !== '');
  return (
    <dl className={styles['facts']}>
      {known.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
