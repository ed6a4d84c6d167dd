import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { visibleName } from '../../../../shared/lib/visible-name.ts';
import { SelectField } from '../../../ui/select-field.tsx';
import styles from '../users.module.css';
import { fieldLabels } from './check-rows.ts';
import { importFields, moveColumn, type ColumnMapping } from './map-columns.ts';

const NO_COLUMN = 'none';

/** Which column of the file is what: guessed by the headings, and changed here. */
export function ColumnFields({
  headings,
  mapping,
  change,
}: {
  readonly headings: readonly string[];
  readonly mapping: ColumnMapping;
  readonly change: (mapping: ColumnMapping) => void;
}): ReactNode {
  const { t } = useTranslation();
  const choices = [
    { id: NO_COLUMN, label: t('users.import.noColumn') },
    ...headings.map((heading, index) => ({
      id: String(index),
      label: visibleName(heading) || t('users.import.column', { number: index + 1 }),
    })),
  ];
  return (
    <fieldset className={styles['columns']}>
      <legend>{t('users.import.columns')}</legend>
      {importFields.map((field) => (
        <SelectField
          key={field}
          label={t(fieldLabels[field])}
          choices={choices}
          value={String(mapping.get(field) ?? NO_COLUMN)}
          onChange={(id) => change(moveColumn(mapping, field, id === NO_COLUMN ? undefined : Number(id)))}
        />
      ))}
    </fieldset>
  );
}
