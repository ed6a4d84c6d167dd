import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import {
  Button,
  FieldError,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Select,
  SelectValue,
  Text,
  ComboBox,
  Input,
} from 'react-aria-components';
import styles from './fields.module.css';
import overlay from './overlay.module.css';
import { useMemo } from 'react';
import fields from './fields.module.css';

/** One of a few choices. */
export function SelectField<Id extends string>({
  label,
  description,
  error,
  choices,
  value,
  onChange,
  isDisabled = false,
}: {
  readonly label: string;
  readonly description?: string | undefined;
  readonly error?: string | undefined;
  readonly choices: readonly { readonly id: Id; readonly label: string }[];
  readonly value: Id | undefined;
  readonly onChange: (id: Id) => void;
  readonly isDisabled?: boolean;
}): ReactNode {
  return (
    <Select
      className={styles['field'] ?? ''}
      isInvalid={error !== undefined}
      isDisabled={isDisabled}
      value={value ?? null}
      onChange={(key) => {
        const chosen = choices.find(({ id }) => id === key);
        if (chosen !== undefined) onChange(chosen.id);
      }}
    >
      <Label className={styles['label'] ?? ''}>{label}</Label>
      <Button className={styles['select'] ?? ''}>
        <SelectValue />
        <ChevronDown size={14} aria-hidden />
      </Button>
      {description === undefined ? null : (
        <Text slot="description" className={styles['description'] ?? ''}>
          {description}
        </Text>
      )}
      <FieldError className={styles['error'] ?? ''}>{error}</FieldError>
      <Popover className={overlay['popover'] ?? ''}>
        <ListBox className={overlay['list'] ?? ''}>
          {choices.map((choice) => (
            <ListBoxItem
              key={choice.id}
              id={choice.id}
              textValue={choice.label}
              className={overlay['item'] ?? ''}
            >
              {choice.label}
            </ListBoxItem>
          ))}
        </ListBox>
      </Popover>
    </Select>
  );
}

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

/** The line of a combo box, and the button that shows what can be chosen. `isCode` as in `TextField`. */
export function ComboInput({ isCode = false }: { readonly isCode?: boolean }): ReactNode {
  return (
    <div className={fields['combo']}>
      <Input className={`${fields['input'] ?? ''} ${isCode ? 'mono ltr' : ''}`} />
      <Button className={fields['comboButton'] ?? ''}>
        <ChevronDown size={14} aria-hidden />
      </Button>
    </div>
  );
}
