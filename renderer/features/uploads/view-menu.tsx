import { SlidersHorizontal, Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Group, Input, NumberField } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import { outlineSorts } from '../../../shared/domain/upload-outline.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import type { SavedView } from '../../stores/preferences.ts';
import { usePreference, useServices } from '../../stores/services.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, useFocusKept } from '../../ui/dialog.tsx';
import { CheckField, FormBody, TextField } from '../../ui/fields.tsx';
import { columnWidth } from '../../ui/grid-head.tsx';
import fields from '../../ui/fields.module.css';
import { SafeName } from '../../ui/safe-name.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import styles from './outline.module.css';
import { columnIds, GRID_ID, isHidable, isSized } from './uploads-grid.tsx';
import { uploadsSearchSchema, type ChangeUploadsSearch, type UploadsSearch } from './uploads-search.ts';

interface ViewProps {
  readonly search: UploadsSearch;
  readonly change: ChangeUploadsSearch;
}

const orders = outlineSorts.flatMap((sort) =>
  (['descending', 'ascending'] as const).map((order) => ({ id: `${sort}.${order}` as const, sort, order })),
);

/** How the list is shown: its order, which is on the button, its columns, and saved views. */
export function ViewMenu({ search, change }: ViewProps): ReactNode {
  const { t } = useTranslation();
  const order = t(`uploads.order.${search.sort}.${search.order}`);
  const [isOpen, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  return (
    <>
      <Button
        icon={SlidersHorizontal}
        aria-label={t('uploads.viewOf', { order })}
        onPress={() => setOpen(true)}
      >
        <span className={styles['word']}>{order}</span>
      </Button>
      <Dialog
        title={t('uploads.view')}
        isOpen={isOpen}
        onClose={close}
        actions={<Button onPress={close}>{t('common.close')}</Button>}
      >
        <SelectField
          label={t('uploads.orderLabel')}
          choices={orders.map(({ id, sort, order: way }) => ({
            id,
            label: t(`uploads.order.${sort}.${way}`),
          }))}
          value={`${search.sort}.${search.order}`}
          onChange={(chosen) => {
            const found = orders.find(({ id }) => id === chosen);
            if (found !== undefined) change({ sort: found.sort, order: found.order });
          }}
        />
        <CheckField
          label={t('uploads.openAll')}
          value={search.open}
          onChange={(open) => change({ open, turned: [] })}
        />
        <Columns />
        <SavedViews search={search} change={change} close={close} />
      </Dialog>
    </>
  );
}

/** Shows, hides and resizes columns by keyboard, as the pointer does on the headings. */
function Columns(): ReactNode {
  const { t } = useTranslation();
  const { preferences } = useServices();
  const hidden = usePreference((kept) => kept.hidden);
  const widths = usePreference((kept) => kept.widths);
  const { set } = preferences.getState();
  const show = (key: string, isShown: boolean): void =>
    set({ hidden: isShown ? hidden.filter((each) => each !== key) : [...hidden, key] });
  const size = (key: string, width: number | undefined): void => {
    const { [key]: _before, ...others } = widths;
    set({ widths: width === undefined ? others : { ...others, [key]: columnWidth(width) } });
  };
  const isOwn = (key: string): boolean => key.startsWith(`${GRID_ID}.`);
  return (
    <section aria-label={t('uploads.columns')}>
      <h3>{t('uploads.columnsAndWidths')}</h3>
      <ul className={styles['columns']}>
        {columnIds.map((id) => {
          const key = `${GRID_ID}.${id}`;
          return (
            <li key={id}>
              <CheckField
                label={t(`uploads.columnNames.${id}`)}
                value={!hidden.includes(key)}
                isDisabled={!isHidable(id)}
                onChange={(isShown) => show(key, isShown)}
              />
              {isSized(id) ? (
                <WidthField
                  label={t('uploads.widthOf', { column: t(`uploads.columnNames.${id}`) })}
                  value={widths[key]}
                  onChange={(width) => size(key, width)}
                />
              ) : null}
            </li>
          );
        })}
      </ul>
      <Button
        kind="quiet"
        onPress={() =>
          set({
            hidden: hidden.filter((key) => !isOwn(key)),
            widths: Object.fromEntries(Object.entries(widths).filter(([key]) => !isOwn(key))),
          })
        }
      >
        {t('uploads.resetColumns')}
      </Button>
    </section>
  );
}

/** A width in pixels; if empty, the column has its default width. */
function WidthField({
  label,
  value = Number.NaN,
  onChange,
}: {
  readonly label: string;
  readonly value: number | undefined;
  readonly onChange: (width: number | undefined) => void;
}): ReactNode {
  return (
    <NumberField
      aria-label={label}
      value={value}
      minValue={40}
      maxValue={1200}
      onChange={(width) => onChange(Number.isNaN(width) ? undefined : width)}
    >
      <Group>
        <Input className={fields['input'] ?? ''} placeholder="auto" />
      </Group>
    </NumberField>
  );
}

/** The parameters that a view stores: filters and order, never the selection. */
function viewSearch({ state, search, sort, order, open }: UploadsSearch): SavedView['search'] {
  return { state, search, sort, order, open };
}

/** The parameters that apply a view's filters and order. */
export function applyView({ search }: SavedView): Partial<UploadsSearch> {
  const { state, search: text, sort, order, open } = uploadsSearchSchema.parse(search);
  return { state, search: text, sort, order, open, turned: [] };
}

function SavedViews({ search, change, close }: ViewProps & { readonly close: () => void }): ReactNode {
  const { t } = useTranslation();
  const { notices, preferences } = useServices();
  const views = usePreference((kept) => kept.views);
  const [name, setName] = useState('');
  const given = name.trim().slice(0, 60);
  const section = useFocusKept<HTMLElement>(views.length);
  const put = (view: SavedView): void => {
    const others = preferences.getState().views.filter((each) => each.name !== view.name);
    preferences.getState().set({ views: [...others, view] });
  };
  const save = (view: SavedView): void => {
    const before = views.find((each) => each.name === view.name);
    put(view);
    if (before === undefined) return;
    const text = t('uploads.viewReplaced', { name: visibleName(view.name) });
    notices.show({ level: 'info', text, undo: () => put(before) });
  };
  const remove = (view: SavedView): void => {
    preferences.getState().set({ views: views.filter((each) => each !== view) });
    notices.show({
      level: 'info',
      text: t('uploads.viewDeleted', { name: visibleName(view.name) }),
      undo: () => put(view),
    });
  };
  return (
    <section ref={section} aria-label={t('uploads.savedViews')}>
      <h3>{t('uploads.savedViews')}</h3>
      <ul className={styles['views']}>
        {views.map((view) => (
          <li key={view.name}>
            <Button
              kind="quiet"
              onPress={() => {
                change(applyView(view));
                close();
              }}
            >
              <SafeName name={view.name} />
            </Button>
            <Button
              kind="quiet"
              icon={Trash2}
              aria-label={t('uploads.deleteView', { name: view.name })}
              onPress={() => remove(view)}
            />
          </li>
        ))}
      </ul>
      <FormBody
        onSubmit={() => {
          if (given === '') return;
          save({ name: given, search: viewSearch(search) });
          setName('');
        }}
      >
        <TextField label={t('uploads.viewName')} value={name} onChange={setName} maxLength={60} />
        <div className="buttons">
          <Button type="submit" isDisabled={given === ''}>
            {t('uploads.saveView')}
          </Button>
        </div>
      </FormBody>
    </section>
  );
}
