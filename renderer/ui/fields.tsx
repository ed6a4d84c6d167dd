import { Check } from 'lucide-react';
import { useEffect, useEffectEvent, useId, useRef, useState, type ReactNode } from 'react';
import {
  Checkbox as AriaCheckbox,
  FieldError,
  Input,
  Label,
  SearchField,
  Switch,
  Text,
  TextArea,
  TextField as AriaTextField,
  type TextFieldProps,
  Group,
  NumberField as AriaNumberField,
} from 'react-aria-components';
import { useCommand } from '../stores/services.ts';
import styles from './fields.module.css';

/** A single-line or multi-line text field with its label, description and error. */
export function TextField({
  label,
  description,
  error,
  lines = 1,
  isCode = false,
  placeholder = '',
  ...props
}: Omit<TextFieldProps, 'children' | 'className' | 'style' | 'isInvalid'> &
  Notes & {
    /** Omitted where `aria-label` is given. */
    readonly label?: string;
    readonly lines?: number;
    /** Paths, phone numbers, hashes and the like: monospace, left to right in every language. */
    readonly isCode?: boolean;
    readonly placeholder?: string;
  }): ReactNode {
  const className = `${styles['input'] ?? ''} ${isCode ? 'mono ltr' : ''}`;
  return (
    <AriaTextField {...props} isInvalid={error !== undefined} className={styles['field'] ?? ''}>
      {label === undefined ? null : <Label className={styles['label'] ?? ''}>{label}</Label>}
      {lines > 1 ? (
        // Multi-line text is prose, in the direction of its own language
        <TextArea rows={lines} placeholder={placeholder} dir="auto" className={className} />
      ) : (
        <Input placeholder={placeholder} className={className} />
      )}
      <FieldNotes description={description} error={error} />
    </AriaTextField>
  );
}

interface Notes {
  readonly description?: string | undefined;
  readonly error?: string | undefined;
}

/** Props that all form fields share. */
export interface FieldProps extends Notes {
  readonly label: string;
  readonly isDisabled?: boolean;
}

/**
 * Errors of settings are worded to follow the setting's name ("baseUrl is missing the host name"). Below its field,
 * which has a label, the error becomes a sentence of its own.
 */
export function asSentence(text: string): string {
  if (!/^[a-z]+ /.test(text)) return text;
  const rest = text.replace(/^is /, '');
  return `${rest.charAt(0).toUpperCase()}${rest.slice(1)}${/[.?!]$/.test(rest) ? '' : '.'}`;
}

/** The description and error below a field. */
export function FieldNotes({ description, error }: Notes): ReactNode {
  return (
    <>
      {description === undefined ? null : (
        <Text slot="description" className={styles['description'] ?? ''}>
          {description}
        </Text>
      )}
      <FieldError className={styles['error'] ?? ''}>
        {error === undefined ? null : asSentence(error)}
      </FieldError>
    </>
  );
}

/** Pause in typing after which the search starts, milliseconds. */
const SEARCH_AFTER_MS = 120;

/**
 * The search box of a screen; "/" focuses it, Escape clears it. It keeps the typed text itself, so that no letter and
 * no selection is lost while the address catches up.
 */
export function SearchBox({
  label,
  value,
  onChange,
  isWide = false,
}: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly isWide?: boolean;
}): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  useCommand('app.search', () => input.current?.focus());
  const [text, type] = useTypedText(value, onChange);
  return (
    <SearchField
      aria-label={label}
      value={text}
      onChange={type}
      onBlur={() => type(text, 0)}
      className={styles['search'] ?? ''}
      data-wide={isWide || undefined}
    >
      <Input ref={input} placeholder={label} className={styles['input'] ?? ''} />
    </SearchField>
  );
}

/** The text of a box, and a function that sets it and reports it once typing pauses. */
function useTypedText(
  value: string,
  onChange: (value: string) => void,
): readonly [string, (text: string, afterMs?: number) => void] {
  const [text, setText] = useState(value);
  /** Reported values that have not come back through `value` yet, oldest first. */
  const underWay = useRef<string[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    const echo = underWay.current.lastIndexOf(value);
    underWay.current = underWay.current.slice(echo + 1);
    if (echo >= 0) return;
    // Changed elsewhere: a saved view, "Show all"
    clearTimeout(timer.current);
    underWay.current = [];
    setText(value);
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const write = useEffectEvent((typed: string) => {
    if (typed === (underWay.current.at(-1) ?? value)) return;
    underWay.current.push(typed);
    onChange(typed);
  });
  return [text, type];

  function type(typed: string, afterMs = SEARCH_AFTER_MS): void {
    setText(typed);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => write(typed), afterMs);
  }
}

interface ToggleProps {
  readonly label: string;
  readonly value: boolean;
  readonly onChange: (value: boolean) => void;
  readonly isDisabled?: boolean;
}

/** A switch that takes effect immediately. */
export function ToggleField({
  label,
  description,
  value,
  onChange,
  isDisabled = false,
}: ToggleProps & Pick<Notes, 'description'>): ReactNode {
  const id = useId();
  const described = description === undefined ? {} : { 'aria-describedby': id };
  return (
    <div className={styles['field']}>
      <Switch
        {...described}
        isSelected={value}
        onChange={onChange}
        isDisabled={isDisabled}
        className={styles['toggle'] ?? ''}
      >
        <span className={styles['track']} aria-hidden />
        {label}
      </Switch>
      {description === undefined ? null : (
        <span id={id} className={styles['description']}>
          {description}
        </span>
      )}
    </div>
  );
}

/** A checkbox that is part of a form or a selection. */
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

/** A number with limits; with `step`, a multiple of it. Clearing the field changes nothing. */
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

/** A form that is submitted with Enter. A submit button outside can refer to it by `id`. */
export function FormBody({
  id,
  onSubmit,
  children,
}: {
  readonly id?: string;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <form
      id={id}
      noValidate
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
    </form>
  );
}
