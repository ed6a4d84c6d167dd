import type { ReactNode } from 'react';
import { SafeName } from './safe-name.tsx';
import styles from './ui.module.css';

type Fact = readonly [name: string, value: ReactNode];

/** One name with its value. */
export function fact(name: string, value: ReactNode): Fact {
  return [name, value];
}

/** Names and values, one below the other; values that are not known are left out. */
export function Facts({
  facts,
  areForeign = false,
}: {
  readonly facts: readonly Fact[];
  /** The names come from the service, not from us. */
  readonly areForeign?: boolean;
}): ReactNode {
  const known = facts.filter(([, value]) => value !== undefined && value !== null && value !== '');
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
