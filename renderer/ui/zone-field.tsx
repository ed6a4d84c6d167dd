import { useMemo, type ReactNode } from 'react';
import { ComboBox, FieldError, Label, ListBox, ListBoxItem, Popover, Text } from 'react-aria-components';
import { ComboInput } from './combo-input.tsx';
import styles from './fields.module.css';
import overlay from './overlay.module.css';

/** A time zone by its IANA name, found by typing a part of it. An empty field is the zone of the system. */
export function ZoneField({
  label,
  description,
  error,
  value,
  onChange,
  isDisabled = false,
}: {
  readonly label: string;
  readonly description?: string | undefined;
  readonly error?: string | undefined;
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
  readonly isDisabled?: boolean;
}): ReactNode {
  const zones = useMemo(() => Intl.supportedValuesOf('timeZone').map((id) => ({ id })), []);
  return (
    <ComboBox
      className={styles['field'] ?? ''}
      // What is typed counts as it is: the agent knows the zones of its own machine
      allowsCustomValue
      inputValue={value ?? ''}
      onInputChange={(text) => onChange(text === '' ? undefined : text)}
      defaultItems={zones}
      isInvalid={error !== undefined}
      isDisabled={isDisabled}
    >
      <Label className={styles['label'] ?? ''}>{label}</Label>
      <ComboInput isCode />
      {description === undefined ? null : (
        <Text slot="description" className={styles['description'] ?? ''}>
          {description}
        </Text>
      )}
      <FieldError className={styles['error'] ?? ''}>{error}</FieldError>
      <Popover className={overlay['popover'] ?? ''}>
        <ListBox<{ readonly id: string }> className={overlay['list'] ?? ''}>
          {({ id }) => (
            <ListBoxItem id={id} textValue={id} className={`${overlay['item'] ?? ''} ltr`}>
              {id}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}
