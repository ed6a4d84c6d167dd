import { useRef, type ReactNode } from 'react';
import { Input, SearchField } from 'react-aria-components';
import { useCommand } from '../commands/use-command.ts';
import styles from './fields.module.css';

/** The search of a screen; "/" goes to it, Escape empties it. */
export function SearchBox({
  label,
  value,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  useCommand('app.search', () => input.current?.focus());
  return (
    <SearchField aria-label={label} value={value} onChange={onChange} className={styles['search'] ?? ''}>
      <Input ref={input} placeholder={label} className={styles['input'] ?? ''} />
    </SearchField>
  );
}
