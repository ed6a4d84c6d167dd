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
} from 'react-aria-components';
import styles from './fields.module.css';
import overlay from './overlay.module.css';

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
