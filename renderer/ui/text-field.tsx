import type { ReactNode } from 'react';
import {
  FieldError,
  Input,
  Label,
  Text,
  TextArea,
  TextField as AriaTextField,
  type TextFieldProps,
} from 'react-aria-components';
import styles from './fields.module.css';

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
