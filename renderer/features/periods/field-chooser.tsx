import { ChevronDown, X } from 'lucide-react';
import { useState, type KeyboardEvent, type ReactNode } from 'react';
import {
  Button as AriaButton,
  ComboBox,
  Group,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Tag,
  TagGroup,
  TagList,
  ToggleButton,
  ToggleButtonGroup,
} from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import type { Action } from '../../../shared/domain/action.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { formatCount } from '../../format/format.ts';
import { useLocale } from '../../stores/services.ts';
import fieldStyles from '../../ui/fields.module.css';
import overlay from '../../ui/overlay.module.css';
import { SafeName } from '../../ui/safe-name.tsx';
import { useShownPage } from '../../ui/select-field.tsx';
import styles from './actions.module.css';
import { countMissing, lookOf } from './form-field.ts';
import { MAX_FIELD_NAME, MAX_FIELDS, type ChangePeriodsSearch, type PeriodsSearch } from './periods.ts';
import type { Facets } from './select-actions.ts';

/** The form fields requested from the service, and in how many of the listed actions each is missing. */
export function FieldChooser({
  chosen,
  seen,
  actions,
  listed,
  onChange,
}: {
  readonly chosen: readonly string[];
  /** Names to offer. */
  readonly seen: readonly string[];
  /** Undefined until the service has answered with these fields. */
  readonly actions: readonly Action[] | undefined;
  /** The actions that match the filters. */
  readonly listed: readonly Action[];
  readonly onChange: (fields: readonly string[]) => void;
}): ReactNode {
  const { t } = useTranslation();
  const items = chosen.map((name) => ({ id: name, name }));
  return (
    <div className={styles['chooser']}>
      <TagGroup
        className={styles['tags'] ?? ''}
        onRemove={(keys) => onChange(chosen.filter((name) => !keys.has(name)))}
      >
        <Label className={fieldStyles['label'] ?? ''}>{t('periods.fields')}</Label>
        <TagList
          className={styles['tagList'] ?? ''}
          items={items}
          dependencies={[actions, listed]}
          renderEmptyState={() => <span className="dim">{t('periods.noFields')}</span>}
        >
          {({ name }) => <FieldTag name={name} actions={actions} listed={listed} />}
        </TagList>
      </TagGroup>
      <AddField
        seen={seen.filter((name) => !chosen.includes(name))}
        isFull={chosen.length >= MAX_FIELDS}
        onAdd={(name) => {
          if (!chosen.includes(name)) onChange([...chosen, name]);
        }}
      />
    </div>
  );
}

function FieldTag({
  name,
  actions,
  listed,
}: {
  readonly name: string;
  readonly actions: readonly Action[] | undefined;
  readonly listed: readonly Action[];
}): ReactNode {
  const { t } = useTranslation();
  const missing = actions === undefined ? 0 : countMissing(listed, name);
  // A field that no action has is usually a typing error
  const isNowhere =
    actions !== undefined && actions.length > 0 && countMissing(actions, name) === actions.length;
  return (
    <Tag id={name} textValue={visibleName(name)} className={styles['tag'] ?? ''}>
      <SafeName name={name} />
      {missing === 0 && !isNowhere ? null : (
        <span className={styles['missing']} data-everywhere={isNowhere || undefined}>
          {isNowhere
            ? `! ${t('periods.fieldNowhere')}`
            : t('periods.fieldMissing', { count: missing, total: listed.length })}
        </span>
      )}
      <AriaButton
        slot="remove"
        aria-label={t('periods.removeField', { name: visibleName(name) })}
        className={styles['remove'] ?? ''}
      >
        <X size={13} aria-hidden />
      </AriaButton>
    </Tag>
  );
}

/** Adds a field: any name can be typed, and names seen before are offered. */
function AddField({
  seen,
  isFull,
  onAdd,
}: {
  readonly seen: readonly string[];
  readonly isFull: boolean;
  readonly onAdd: (name: string) => void;
}): ReactNode {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const showPage = useShownPage();
  const add = (name: string): void => {
    const trimmed = name.trim();
    setTyped('');
    if (trimmed !== '') onAdd(trimmed);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // If a name in the list is highlighted, Enter chooses that one
    const isOnItem = event.target instanceof Element && event.target.hasAttribute('aria-activedescendant');
    if (event.key === 'Enter' && !isOnItem) add(typed);
  };
  if (isFull) return <span className="dim">{t('periods.fieldsFull', { count: MAX_FIELDS })}</span>;
  return (
    <ComboBox
      aria-label={t('periods.addField')}
      className={styles['add'] ?? ''}
      items={seen.map((name) => ({ id: name, name }))}
      inputValue={typed}
      onInputChange={setTyped}
      value={null}
      onChange={(key) => {
        if (key !== null) add(String(key));
      }}
      onKeyDown={onKeyDown}
      allowsCustomValue
      onOpenChange={showPage}
    >
      <Group className={styles['entry'] ?? ''}>
        <Input
          placeholder={t('periods.addFieldHint')}
          maxLength={MAX_FIELD_NAME}
          className={fieldStyles['input'] ?? ''}
        />
        {seen.length === 0 ? null : (
          <AriaButton className={styles['open'] ?? ''} aria-label={t('periods.showNames')}>
            <ChevronDown size={14} aria-hidden />
          </AriaButton>
        )}
      </Group>
      <Popover className={overlay['popover'] ?? ''}>
        <section aria-label={t('periods.addField')}>
          <ListBox<{ readonly id: string; readonly name: string }> className={overlay['list'] ?? ''}>
            {({ name }) => (
              <ListBoxItem id={name} textValue={name} className={overlay['item'] ?? ''}>
                <SafeName name={name} />
              </ListBoxItem>
            )}
          </ListBox>
        </section>
      </Popover>
    </ComboBox>
  );
}

/** Every status that occurs, with its count. Choosing one filters by it; choosing it again shows all. */
export function StatusFilter({
  facets,
  search,
  change,
}: {
  readonly facets: Facets;
  readonly search: PeriodsSearch;
  readonly change: ChangePeriodsSearch;
}): ReactNode {
  const { t } = useTranslation();
  const { statuses, ai } = facets;
  return (
    <div className={styles['filter']}>
      <ToggleButtonGroup
        aria-label={t('periods.statuses')}
        className={styles['statusGroup'] ?? ''}
        selectionMode="single"
        selectedKeys={search.status === undefined ? [] : [toId(search.status)]}
        onSelectionChange={(keys) => change({ status: statuses.find(({ key }) => keys.has(toId(key)))?.key })}
      >
        {statuses.map(({ key, word, count }) => (
          <ToggleButton
            key={key}
            id={toId(key)}
            className={styles['statusTag'] ?? ''}
            data-tone={lookOf(key).tone}
          >
            <span aria-hidden>{lookOf(key).glyph}</span>
            {key === '' ? t('periods.statusNone') : <SafeName name={word} />}
            <Count value={count} />
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
      {statuses.length === 0 && !search.ai ? null : (
        <ToggleButton
          className={styles['statusTag'] ?? ''}
          isSelected={search.ai}
          onChange={(isOn) => change({ ai: isOn })}
        >
          <span aria-hidden>✦</span>
          {t('periods.ai')}
          <Count value={ai} />
        </ToggleButton>
      )}
    </div>
  );
}

/** A count; zero is not shown. */
function Count({ value }: { readonly value: number }): ReactNode {
  const locale = useLocale();
  return value === 0 ? null : <span className={styles['count']}>{formatCount(value, locale)}</span>;
}

/** A key may be empty, which would not be a usable ID. */
const toId = (key: string): string => `=${key}`;
