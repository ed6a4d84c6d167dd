import { ArrowDown, ArrowUp, ChevronDown } from 'lucide-react';
import { useEffect, useMemo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import {
  Button,
  ComboBox,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Select,
  SelectValue,
  ToggleButton,
  ToggleButtonGroup,
} from 'react-aria-components';
import { Button as TextButton } from './button.tsx';
import styles from './fields.module.css';
import { FieldNotes, type FieldProps } from './fields.tsx';
import overlay from './overlay.module.css';
import { formatCount } from '../format/format.ts';
import { useLocale } from '../stores/services.ts';
import tabStyles from './ui.module.css';

/** A choice from a short list. */
export function SelectField<Id extends string>({
  label,
  description,
  error,
  choices,
  value,
  onChange,
  isDisabled = false,
}: FieldProps & {
  readonly choices: readonly { readonly id: Id; readonly label: string }[];
  readonly value: Id | undefined;
  readonly onChange: (id: Id) => void;
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
      <FieldNotes description={description} error={error} />
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

/** Suffix of the string that describes an order: "newest first" is clearer than "descending". */
export type OrderWords = `${'Time' | 'Status' | 'Ai' | 'Word'}${'Up' | 'Down'}`;

/** The sort order of a list as fields: the headings of its grid can only be reached with a pointer. */
export function SortFields<Id extends string>({
  choices,
  value,
  words,
  onChange,
  onTurn,
}: {
  readonly choices: readonly { readonly id: Id; readonly label: string }[];
  readonly value: Id;
  readonly words: OrderWords;
  readonly onChange: (id: Id) => void;
  readonly onTurn: () => void;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <div className={styles['sort']}>
      <SelectField label={t('common.sort')} choices={choices} value={value} onChange={onChange} />
      <TextButton icon={words.endsWith('Up') ? ArrowUp : ArrowDown} onPress={onTurn}>
        {t(`common.order.${words}`)}
      </TextButton>
    </div>
  );
}

/** A suggestion; typed text is matched against `text`. */
export interface ComboChoice {
  readonly id: string | number;
  readonly text: string;
  readonly shown: ReactNode;
}

/**
 * A text that can be typed or chosen. `isCode` as in `TextField`; with `isLoading`, typing shows that the choices are
 * loading, and then the choices.
 */
export function ComboField({
  label,
  description,
  error,
  choices,
  value,
  onChange,
  isCode = false,
  isDisabled = false,
  isLoading = false,
}: FieldProps & {
  readonly choices: readonly ComboChoice[];
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly isCode?: boolean;
  readonly isLoading?: boolean;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <ComboBox
      className={styles['field'] ?? ''}
      allowsCustomValue
      allowsEmptyCollection={isLoading}
      inputValue={value}
      onInputChange={onChange}
      defaultItems={choices}
      isInvalid={error !== undefined}
      isDisabled={isDisabled}
      onOpenChange={useShownPage()}
    >
      <Label className={styles['label'] ?? ''}>{label}</Label>
      <div className={styles['combo']}>
        <Input className={`${styles['input'] ?? ''} ${isCode ? 'mono ltr' : ''}`} />
        <Button className={styles['comboButton'] ?? ''}>
          <ChevronDown size={14} aria-hidden />
        </Button>
      </div>
      <FieldNotes description={description} error={error} />
      <Popover className={overlay['popover'] ?? ''}>
        {/* Popovers are outside the page's landmarks */}
        <section aria-label={label}>
          <ListBox<ComboChoice>
            className={overlay['list'] ?? ''}
            renderEmptyState={() => (
              <div className={`${overlay['item'] ?? ''} dim`}>{t('common.loading')}</div>
            )}
          >
            {({ id, text, shown }) => (
              <ListBoxItem id={id} textValue={text} className={overlay['item'] ?? ''}>
                {shown}
              </ListBoxItem>
            )}
          </ListBox>
        </section>
      </Popover>
    </ComboBox>
  );
}

/**
 * The component library hides the page from screen readers while suggestions are open, but leaves its controls
 * focusable. Returns a handler for a combo box's opening and closing that keeps the page exposed beside the list.
 */
export function useShownPage(): (isOpen: boolean) => void {
  useEffect(() => () => showPage(false), []);
  return showPage;
}

/** The library skips elements with this attribute. */
const showPage = (isShown: boolean): void =>
  void document.querySelector('#root')?.toggleAttribute('data-react-aria-top-layer', isShown);

/** A time zone by its IANA name, found by typing part of it. An empty field means the system's zone. */
export function ZoneField({
  value,
  onChange,
  ...props
}: FieldProps & {
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}): ReactNode {
  const zones = useMemo(
    () =>
      Intl.supportedValuesOf('timeZone').map((id) => ({
        id,
        text: id,
        shown: <span className="ltr">{id}</span>,
      })),
    [],
  );
  return (
    <ComboField
      {...props}
      choices={zones}
      // Any typed text is accepted: the agent knows the zones of its own machine
      value={value ?? ''}
      onChange={(text) => onChange(text === '' ? undefined : text)}
      isCode
    />
  );
}

/** A filter; `count` is shown after the label. */
interface Filter<Id extends string> {
  readonly id: Id;
  readonly label: string;
  readonly count?: number | undefined;
}

/** Filters of which exactly one is active. */
export function FilterTabs<Id extends string>({
  label,
  filters,
  value,
  onChange,
}: {
  readonly label: string;
  readonly filters: readonly Filter<Id>[];
  readonly value: Id;
  readonly onChange: (id: Id) => void;
}): ReactNode {
  const locale = useLocale();
  return (
    <ToggleButtonGroup
      aria-label={label}
      className={tabStyles['tabs'] ?? ''}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[value]}
      onSelectionChange={(keys) => {
        const chosen = filters.find(({ id }) => keys.has(id));
        if (chosen !== undefined) onChange(chosen.id);
      }}
    >
      {filters.map((filter) => (
        <ToggleButton key={filter.id} id={filter.id} className={tabStyles['tab'] ?? ''}>
          {filter.label}
          {(filter.count ?? 0) === 0 ? null : (
            <span className={tabStyles['count']}>{formatCount(filter.count ?? 0, locale)}</span>
          )}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
