import type { ReactNode } from 'react';
import styles from './facts.module.css';

type Fact = readonly [name: string, value: ReactNode];

/** One name with its value. */
export function fact(name: string, value: ReactNode): Fact {
  return [name, value];
}

/** Names and values, one below the other; values that are not known are left out. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }): ReactNode {
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
