import type { ReactNode } from 'react';
import {
  FieldError,
  Input,
  Label,
  Text,
  TextArea,
  TextField as AriaTextField,
  type TextFieldProps,
  SearchField,
  Group,
  NumberField as AriaNumberField,
  Checkbox as AriaCheckbox,
  Switch,
} from 'react-aria-components';
import styles from './fields.module.css';
import { useRef } from 'react';
import { useCommand } from '../stores/services.ts';
import { Check } from 'lucide-react';

/** A line or a page of text with its label, what it is for, and what is wrong with it. */
export function TextField({
  label,
  description,
  error,
  lines = 1,
  isCode = false,
  placeholder = '',
  ...props
}: Omit<TextFieldProps, 'children' | 'className' | 'style' | 'isInvalid'> & {
  /** Left out where `aria-label` says it. */
  readonly label?: string;
  readonly description?: string | undefined;
  readonly error?: string | undefined;
  readonly lines?: number;
  /** Paths, phones, hashes and the like: monospace, from left to right in every language. */
  readonly isCode?: boolean;
  readonly placeholder?: string;
}): ReactNode {
  const className = `${styles['input'] ?? ''} ${isCode ? 'mono ltr' : ''}`;
  return (
    <AriaTextField {...props} isInvalid={error !== undefined} className={styles['field'] ?? ''}>
      {label === undefined ? null : <Label className={styles['label'] ?? ''}>{label}</Label>}
      {lines > 1 ? (
        // Lines are someone's own words, in the direction of their language
        <TextArea rows={lines} placeholder={placeholder} dir="auto" className={className} />
      ) : (
        <Input placeholder={placeholder} className={className} />
      )}
      {description === undefined ? null : (
        <Text slot="description" className={styles['description'] ?? ''}>
          {description}
        </Text>
      )}
      <FieldError className={styles['error'] ?? ''}>{error}</FieldError>
    </AriaTextField>
  );
}

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

/** A number with its limits; with `step` it keeps to multiples of it. An empty field is `undefined`. */
export function NumberField({
  label,
  description,
  error,
  value,
  onChange,
  least,
  most,
  step,
  isDisabled = false,
}: {
  readonly label: string;
  readonly description?: string | undefined;
  readonly error?: string | undefined;
  readonly value: number | undefined;
  readonly onChange: (value: number | undefined) => void;
  readonly least: number;
  readonly most: number;
  readonly step?: number;
  readonly isDisabled?: boolean;
}): ReactNode {
  return (
    <AriaNumberField
      className={styles['field'] ?? ''}
      value={value ?? Number.NaN}
      onChange={(number) => onChange(Number.isNaN(number) ? undefined : number)}
      minValue={least}
      maxValue={most}
      {...(step === undefined ? {} : { step })}
      formatOptions={format}
      isInvalid={error !== undefined}
      isDisabled={isDisabled}
    >
      <Label className={styles['label'] ?? ''}>{label}</Label>
      <Group>
        <Input className={styles['input'] ?? ''} />
      </Group>
      {description === undefined ? null : (
        <Text slot="description" className={styles['description'] ?? ''}>
          {description}
        </Text>
      )}
      <FieldError className={styles['error'] ?? ''}>{error}</FieldError>
    </AriaNumberField>
  );
}

const format: Intl.NumberFormatOptions = { maximumFractionDigits: 6 };

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
