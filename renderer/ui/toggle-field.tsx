import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { Checkbox as AriaCheckbox, Switch } from 'react-aria-components';
import styles from './fields.module.css';

interface ToggleProps {
  readonly label: string;
  readonly value: boolean;
  readonly onChange: (value: boolean) => void;
  readonly isDisabled?: boolean;
}

/** Something that is on or off at once. */
export function ToggleField({ label, value, onChange, isDisabled = false }: ToggleProps): ReactNode {
  return (
    <Switch isSelected={value} onChange={onChange} isDisabled={isDisabled} className={styles['toggle'] ?? ''}>
      <span className={styles['track']} aria-hidden />
      {label}
    </Switch>
  );
}

/** Something that is part of a form or a selection. */
export function CheckField({ label, value, onChange, isDisabled = false }: ToggleProps): ReactNode {
  return (
    <AriaCheckbox
      isSelected={value}
      onChange={onChange}
      isDisabled={isDisabled}
      className={styles['toggle'] ?? ''}
    >
      <span className={styles['box']} aria-hidden>
        {value ? <Check size={12} /> : null}
      </span>
      {label}
    </AriaCheckbox>
  );
}
