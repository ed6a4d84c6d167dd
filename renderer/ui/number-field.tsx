import type { ReactNode } from 'react';
import { FieldError, Group, Input, Label, NumberField as AriaNumberField, Text } from 'react-aria-components';
import styles from './fields.module.css';

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
