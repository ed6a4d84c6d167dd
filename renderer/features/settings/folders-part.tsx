import { FolderPlus, Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { alsoSent, dayOrders, type AlsoSent } from '../../../shared/domain/naming-settings.ts';
import {
  newWatchedFolder,
  settingLimits,
  watchUnits,
  type WatchSettings,
} from '../../../shared/domain/settings.ts';
import { useRead } from '../../queries/use-call.ts';
import { Button, ChooseFolder } from '../../ui/button.tsx';
import { useFocusKept } from '../../ui/dialog.tsx';
import { CheckField, TextField, NumberField } from '../../ui/fields.tsx';
import { NameTester } from '../../ui/setup-fields.tsx';
import { SelectField, ZoneField } from '../../ui/select-field.tsx';
import { SafeName } from '../../ui/safe-name.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { NumberText } from './cameras-part.tsx';
import styles from './settings.module.css';
import type { FieldState, SettingsForm } from './use-settings-form.ts';

/** The watched folders, and a tester for how their file names are read. */
export function FoldersPart({ form }: { readonly form: SettingsForm }): ReactNode {
  const { t } = useTranslation();
  const { values, change } = form;
  const isLocked = form.isLocked('watch');
  const add = useFocusKept<HTMLDivElement>(values.watch.length);
  const replace = (index: number, folder: WatchSettings): void =>
    change({ watch: values.watch.map((each, place) => (place === index ? folder : each)) });
  return (
    <>
      <p className="dim">{t('settings.foldersHelp')}</p>
      {values.watch.length === 0 ? <EmptyState title={t('settings.noFolders')} /> : null}
      {values.watch.map((folder, index) => (
        <FolderFields
          // Items have no identity but their position: the path is being typed
          // oxlint-disable-next-line react/no-array-index-key
          key={index}
          folder={folder}
          index={index}
          form={form}
          onChange={(next) => replace(index, next)}
          onRemove={() => change({ watch: values.watch.filter((_, place) => place !== index) })}
        />
      ))}
      <div ref={add}>
        <Button
          icon={FolderPlus}
          isDisabled={isLocked || values.watch.length >= settingLimits.watch.most}
          onPress={() => change({ watch: [...values.watch, newWatchedFolder] })}
        >
          {t('settings.addFolder')}
        </Button>
      </div>
      <Tester folders={values.watch} />
    </>
  );
}

/** Tries a name against a folder's rules as they are in the form, saved or not. */
function Tester({ folders }: { readonly folders: readonly WatchSettings[] }): ReactNode {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState('0');
  const rules = folders[Number(chosen)] ?? folders[0] ?? newWatchedFolder;
  return (
    <section aria-label={t('settings.tester')} className={styles['block']}>
      <h3>{t('settings.tester')}</h3>
      {folders.length > 1 ? (
        <SelectField
          label={t('settings.testerFolder')}
          value={chosen}
          choices={folders.map(({ path }, index) => ({
            id: String(index),
            label: path === '' ? t('settings.folder', { number: index + 1 }) : path,
          }))}
          onChange={setChosen}
        />
      ) : null}
      <NameTester rules={rules} />
    </section>
  );
}

/** A watched folder: its path, what counts as an incident in it, and how its names are read. */
function FolderFields({
  folder,
  index,
  form,
  onChange,
  onRemove,
}: {
  readonly folder: WatchSettings;
  readonly index: number;
  readonly form: SettingsForm;
  readonly onChange: (folder: WatchSettings) => void;
  readonly onRemove: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const place = `watch[${index}]`;
  const isLocked = form.isLocked(place);
  const field = (name: keyof WatchSettings, help?: string): FieldState => ({
    description: help,
    error: form.field(`${place}.${name}`).error,
    isDisabled: isLocked,
  });
  const change = (fields: Partial<WatchSettings>): void => onChange({ ...folder, ...fields });
  return (
    <fieldset className={styles['folder']} disabled={isLocked}>
      <legend>{t('settings.folder', { number: index + 1 })}</legend>
      <TextField
        label={t('settings.path')}
        {...field('path', form.field(place, t('settings.pathHelp')).description)}
        value={folder.path}
        onChange={(path) => change({ path })}
        isCode
      />
      {isLocked ? null : (
        <div>
          <ChooseFolder onChosen={(path) => change({ path })} />
        </div>
      )}
      <UnitFields folder={folder} change={change} field={field} />
      <UnitChange folder={folder} saved={form.view.settings.watch.find(({ path }) => path === folder.path)} />
      <RuleFields folder={folder} change={change} field={field} />
      <ExtraFileFields folder={folder} change={change} field={field} />
      <div>
        <Button kind="quiet" icon={Trash2} isDisabled={isLocked} onPress={onRemove}>
          {t('settings.removeFolder')}
        </Button>
      </div>
    </fieldset>
  );
}

interface FieldGroup {
  readonly folder: WatchSettings;
  readonly change: (fields: Partial<WatchSettings>) => void;
  readonly field: (name: keyof WatchSettings, help?: string) => FieldState;
}

/** What counts as one incident in the folder. */
function UnitFields({ folder, change, field }: FieldGroup): ReactNode {
  const { t } = useTranslation();
  return (
    <div className="pair">
      <SelectField
        label={t('settings.unit')}
        {...field('unit', t(`settings.unitHelp.${folder.unit}`))}
        value={folder.unit}
        choices={watchUnits.map((id) => ({ id, label: t(`settings.units.${id}`) }))}
        onChange={(unit) => change({ unit })}
      />
      {folder.unit === 'window' ? (
        <NumberField
          label={t('settings.windowMinutes')}
          {...field('windowMinutes', t('settings.windowMinutesHelp'))}
          value={folder.windowMinutes}
          onChange={(windowMinutes) => change({ windowMinutes })}
          {...settingLimits.watch.windowMinutes}
        />
      ) : null}
    </div>
  );
}

/** Previews the effect of a different unit before it is saved. */
function UnitChange({
  folder: { path, unit, windowMinutes },
  saved,
}: {
  readonly folder: WatchSettings;
  readonly saved: WatchSettings | undefined;
}): ReactNode {
  const { t } = useTranslation();
  const isOther =
    saved !== undefined &&
    (saved.unit !== unit || (unit === 'window' && saved.windowMinutes !== windowMinutes));
  const { data, error } = useRead(
    'exports.previewUnits',
    { path, unit, windowMinutes },
    { isEnabled: isOther },
  );
  if (!isOther) return null;
  return (
    <section aria-label={t('settings.unitChange')} aria-live="polite">
      <h3>{t('settings.unitChange')}</h3>
      {error === null ? null : <p className="dim">{t('settings.unitUnread')}</p>}
      {error !== null || data === undefined ? null : (
        <>
          <p>{t('settings.unitNew', { now: data.now, later: data.later })}</p>
          {data.examples.length === 0 ? null : (
            <ul>
              {data.examples.map((name) => (
                <li key={name} className="ltr">
                  <SafeName name={name} />
                </li>
              ))}
            </ul>
          )}
          <p>{t('settings.unitKept', { count: data.inQueue })}</p>
          {data.looseLater === 0 ? null : <p>{t('settings.unitLoose', { count: data.looseLater })}</p>}
          {data.isCut === true ? <p className="dim">{t('settings.unitCut')}</p> : null}
        </>
      )}
    </section>
  );
}

function RuleFields({ folder, change, field }: FieldGroup): ReactNode {
  const { t } = useTranslation();
  const { data } = useRead('names.profiles', {});
  const profiles = [...new Set(['auto', ...(data?.profiles ?? []), folder.profile])];
  const { timeZone: zone } = new Intl.DateTimeFormat().resolvedOptions();
  return (
    <div className="pair">
      <NumberField
        label={t('settings.settleSeconds')}
        {...field('settleSeconds', t('settings.settleHelp'))}
        value={folder.settleSeconds}
        onChange={(settleSeconds) => change({ settleSeconds })}
        {...settingLimits.watch.settleSeconds}
      />
      <NumberText
        label={t('settings.keepsDays')}
        {...field('keepsDays', t('settings.keepsDaysHelp'))}
        value={folder.keepsDays}
        onChange={(keepsDays) => change({ keepsDays })}
      />
      <SelectField
        label={t('settings.profile')}
        {...field('profile')}
        value={folder.profile}
        choices={profiles.map((id) => ({ id, label: id === 'auto' ? t('settings.profileAuto') : id }))}
        onChange={(profile) => change({ profile })}
      />
      <ZoneField
        label={t('settings.timeZone')}
        {...field('timeZone', t('settings.timeZoneHelp', { zone }))}
        value={folder.timeZone}
        onChange={(timeZone) => change({ timeZone })}
      />
      <NumberField
        label={t('settings.clockOffset')}
        {...field('clockOffsetSeconds', t('settings.clockOffsetHelp'))}
        value={folder.clockOffsetSeconds}
        onChange={(clockOffsetSeconds) => change({ clockOffsetSeconds })}
        {...settingLimits.watch.clockOffsetSeconds}
      />
      <SelectField
        label={t('settings.dayOrder')}
        {...field('dateOrder', t('settings.dayOrderHelp'))}
        value={folder.dateOrder ?? 'none'}
        choices={(['none', ...dayOrders] as const).map((id) => ({
          id,
          label: t(`settings.dayOrders.${id}`),
        }))}
        onChange={(order) => change({ dateOrder: order === 'none' ? undefined : order })}
      />
      {(['latitude', 'longitude'] as const).map((name) => (
        <NumberText
          key={name}
          label={t(`settings.cameraField.${name}`)}
          {...field(name, t('settings.folderPositionHelp'))}
          value={folder[name]}
          onChange={(number) => change({ [name]: number })}
        />
      ))}
    </div>
  );
}

/** Files to send besides clips. */
function ExtraFileFields({ folder, change, field }: FieldGroup): ReactNode {
  const { t } = useTranslation();
  const { isDisabled = false, error } = field('alsoSend');
  const set = (kind: AlsoSent, isSent: boolean): void =>
    change({
      alsoSend: alsoSent.filter((each) => (each === kind ? isSent : folder.alsoSend.includes(each))),
    });
  return (
    <div role="group" aria-label={t('settings.alsoSend')} className="stack">
      <h3>{t('settings.alsoSend')}</h3>
      <p className="dim">{error ?? t('settings.alsoSendHelp')}</p>
      {alsoSent.map((kind) => (
        <CheckField
          key={kind}
          label={t(`settings.alsoSent.${kind}`)}
          value={folder.alsoSend.includes(kind)}
          onChange={(isSent) => set(kind, isSent)}
          isDisabled={isDisabled}
        />
      ))}
    </div>
  );
}
