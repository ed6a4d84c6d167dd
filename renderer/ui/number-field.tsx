import type { ReactNode } from 'react';
import { Group, Input, Label, NumberField as AriaNumberField } from 'react-aria-components';
import styles from './fields.module.css';
import { FieldNotes, type FieldProps } from './fields.tsx';

/** A number with its limits; with `step` it keeps to multiples of it. An empty field changes nothing. */
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
}: FieldProps & {
  readonly value: number;
  readonly onChange: (value: number) => void;
  readonly least: number;
  readonly most?: number;
  readonly step?: number;
}): ReactNode {
  return (
    <AriaNumberField
      className={styles['field'] ?? ''}
      value={value}
      onChange={(number) => {
        if (!Number.isNaN(number)) onChange(number);
      }}
      minValue={least}
      {...(most === undefined ? {} : { maxValue: most })}
      {...(step === undefined ? {} : { step })}
      formatOptions={format}
      isInvalid={error !== undefined}
      isDisabled={isDisabled}
    >
      <Label className={styles['label'] ?? ''}>{label}</Label>
      <Group>
        <Input className={styles['input'] ?? ''} />
      </Group>
      <FieldNotes description={description} error={error} />
    </AriaNumberField>
  );
}

const format: Intl.NumberFormatOptions = { maximumFractionDigits: 6 };
